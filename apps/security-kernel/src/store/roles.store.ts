import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import { schemaOf } from '../domain/permission';
import { typeOf, type RoleType } from '../domain/role-name';

export interface Role {
  id: number;
  tenant: string;
  type: RoleType;
  name: string;
  description: string;
  owner: string;
  ownerTenant: string;
  created: Date;
  createdby: string;
  createdbyTenant: string;
  updated: Date;
  updatedby: string;
  updatedbyTenant: string;
  hasChildren: boolean;
}

/** user@tenant that a change is written down for. */
export interface Author {
  user: string;
  tenant: string;
}

const COLUMNS = `r.id::int AS id, r.tenant, r.type, r.name, r.description, r.owner, r.owner_tenant AS "ownerTenant",
  r.created, r.created_by AS createdby, r.created_by_tenant AS "createdbyTenant", r.updated,
  r.updated_by AS updatedby, r.updated_by_tenant AS "updatedbyTenant",
  EXISTS (SELECT 1 FROM role_tree t WHERE t.parent_id = r.id) AS "hasChildren"`;

/** Roles of a tenant, what they permit and how they nest. */
@Injectable()
export class RolesStore {
  constructor(private readonly database: Database) {}

  /** Makes the role unless it is there; answers whether it was made. */
  async create(
    role: { tenant: string; name: string; description: string; owner?: Author },
    author: Author,
  ): Promise<boolean> {
    const owner = role.owner ?? author;
    const rows = await this.database.query(
      `INSERT INTO role (tenant, name, type, description, owner, owner_tenant, created_by, created_by_tenant,
         updated_by, updated_by_tenant)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7, $8) ON CONFLICT (tenant, name) DO NOTHING RETURNING id`,
      [
        role.tenant,
        role.name,
        typeOf(role.name),
        role.description,
        owner.user,
        owner.tenant,
        author.user,
        author.tenant,
      ],
    );
    return rows.length === 1;
  }

  async find(tenant: string, name: string): Promise<Role | undefined> {
    const sql = `SELECT ${COLUMNS} FROM role r WHERE r.tenant = $1 AND r.name = $2`;
    return (await this.database.query<Role>(sql, [tenant, name]))[0];
  }

  async names(tenant: string, type?: RoleType): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      'SELECT name FROM role WHERE tenant = $1 AND ($2::text IS NULL OR type = $2) ORDER BY name COLLATE "C"',
      [tenant, type ?? null],
    );
    return rows.map((r) => r.name);
  }

  async remove(tenant: string, name: string): Promise<number> {
    const sql = 'DELETE FROM role WHERE tenant = $1 AND name = $2 RETURNING id';
    return (await this.database.query(sql, [tenant, name])).length;
  }

  /** Changes name, owner or description; nothing else of a role ever changes. */
  async update(
    tenant: string,
    name: string,
    change: Partial<Pick<Role, 'name' | 'owner' | 'ownerTenant' | 'description'>>,
    author: Author,
  ): Promise<void> {
    await this.database.query(
      `UPDATE role SET name = coalesce($3, name), owner = coalesce($4, owner), owner_tenant = coalesce($5, owner_tenant),
         description = coalesce($6, description), updated = now(), updated_by = $7, updated_by_tenant = $8
       WHERE tenant = $1 AND name = $2`,
      [
        tenant,
        name,
        change.name ?? null,
        change.owner ?? null,
        change.ownerTenant ?? null,
        change.description ?? null,
        author.user,
        author.tenant,
      ],
    );
  }

  /** The permissions of the role itself and, unless `immediate`, of all roles below it. */
  async permissions(tenant: string, name: string, immediate: boolean): Promise<string[]> {
    const rows = await this.database.query<{ permission: string }>(
      `WITH RECURSIVE held AS (
         SELECT id FROM role WHERE tenant = $1 AND name = $2
         UNION SELECT t.child_id FROM role_tree t JOIN held h ON t.parent_id = h.id WHERE NOT $3::boolean)
       SELECT DISTINCT permission FROM role_permission p JOIN held h ON p.role_id = h.id ORDER BY permission`,
      [tenant, name, immediate],
    );
    return rows.map((r) => r.permission);
  }

  async addPermission(roleId: number, permission: string, tx?: EntityManager): Promise<number> {
    const sql = `INSERT INTO role_permission (role_id, permission, schema) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING RETURNING role_id`;
    const params = [roleId, permission, schemaOf(permission)];
    return tx
      ? (await run(tx, sql, params)).rows.length
      : (await this.database.query(sql, params)).length;
  }

  async removePermission(tenant: string, name: string, permission: string): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM role_permission p USING role r
       WHERE p.role_id = r.id AND r.tenant = $1 AND r.name = $2 AND p.permission = $3 RETURNING p.role_id`,
      [tenant, name, permission],
    );
    return rows.length;
  }

  /** Takes permissions away from every role of the tenant: the very string, or everything that begins with it. */
  async removeFromAll(tenant: string, permission: string, prefix: boolean): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM role_permission p USING role r WHERE p.role_id = r.id AND r.tenant = $1
         AND p.schema = $4 AND (p.permission = $2 OR ($3::boolean AND starts_with(p.permission, $2)))
       RETURNING p.role_id`,
      [tenant, permission, prefix, schemaOf(permission)],
    );
    return rows.length;
  }

  /** The path permissions of one role, or of all roles of the tenant. */
  async pathPermissions(
    tenant: string,
    schema: string,
    name?: string,
  ): Promise<{ roleId: number; permission: string }[]> {
    return this.database.query(
      `SELECT p.role_id::int AS "roleId", p.permission FROM role_permission p JOIN role r ON r.id = p.role_id
       WHERE r.tenant = $1 AND p.schema = $2 AND ($3::text IS NULL OR r.name = $3) ORDER BY p.permission`,
      [tenant, schema, name ?? null],
    );
  }

  /** Puts new permissions in the place of old ones, all or none. */
  async exchange(moves: { roleId: number; permission: string; next: string }[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const { roleId, permission, next } of moves) {
        const sql = 'DELETE FROM role_permission WHERE role_id = $1 AND permission = $2';
        await run(tx, sql, [roleId, permission]);
        await this.addPermission(roleId, next, tx);
      }
    });
  }

  /** Hangs one role below another; answers undefined when that would close a circle. */
  async addChild(parentId: number, childId: number): Promise<number | undefined> {
    return this.database.transaction(async (tx) => {
      // Two links made at the same time could close a circle together, so links are made one after the other.
      await run(tx, "SELECT pg_advisory_xact_lock(hashtext('role_tree'))");
      const circle = await run(
        tx,
        `WITH RECURSIVE below AS (SELECT $2::bigint AS id
           UNION SELECT t.child_id FROM role_tree t JOIN below b ON t.parent_id = b.id)
         SELECT 1 FROM below WHERE id = $1`,
        [parentId, childId],
      );
      if (circle.rows.length) return undefined;
      const sql = `INSERT INTO role_tree (parent_id, child_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`;
      return (await run(tx, sql, [parentId, childId])).rows.length;
    });
  }

  async removeChild(parentId: number, childId: number): Promise<number> {
    const sql = 'DELETE FROM role_tree WHERE parent_id = $1 AND child_id = $2 RETURNING 1';
    return (await this.database.query(sql, [parentId, childId])).length;
  }
}
