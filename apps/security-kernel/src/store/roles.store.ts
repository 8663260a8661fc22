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

const FIND = `SELECT ${COLUMNS} FROM role r WHERE r.tenant = $1 AND r.name = $2`;

export interface PathPermission {
  id: number;
  roleId: number;
  role: string;
  permission: string;
}

/** Roles of a tenant, what they permit and how they nest. */
@Injectable()
export class RolesStore {
  constructor(private readonly database: Database) {}

  /** Makes the role unless it is there; answers whether it was made. */
  async create(
    tx: EntityManager,
    role: { tenant: string; name: string; description: string; owner?: Author },
    author: Author,
  ): Promise<boolean> {
    const owner = role.owner ?? author;
    const { rows } = await run(
      tx,
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
    return (await this.database.query<Role>(FIND, [tenant, name]))[0];
  }

  /** The role as it is now, and stays until the transaction ends; with `change` nobody else changes it meanwhile. */
  async lock(
    tx: EntityManager,
    { tenant, name }: Pick<Role, 'tenant' | 'name'>,
    change = false,
  ): Promise<Role | undefined> {
    const sql = `${FIND} FOR ${change ? 'UPDATE' : 'KEY SHARE'} OF r`;
    return (await run<Role>(tx, sql, [tenant, name])).rows[0];
  }

  async names(tenant: string, type?: RoleType): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      'SELECT name FROM role WHERE tenant = $1 AND ($2::text IS NULL OR type = $2) ORDER BY name COLLATE "C"',
      [tenant, type ?? null],
    );
    return rows.map((r) => r.name);
  }

  async remove(tx: EntityManager, id: number): Promise<number> {
    return (await run(tx, 'DELETE FROM role WHERE id = $1', [id])).count;
  }

  /** Changes name, owner or description; nothing else of a role ever changes. A name that is taken is a duplicate. */
  async update(
    tx: EntityManager,
    id: number,
    change: Partial<Pick<Role, 'name' | 'owner' | 'ownerTenant' | 'description'>>,
    author: Author,
  ): Promise<void> {
    await run(
      tx,
      `UPDATE role SET name = coalesce($2, name), owner = coalesce($3, owner), owner_tenant = coalesce($4, owner_tenant),
         description = coalesce($5, description), updated = now(), updated_by = $6, updated_by_tenant = $7
       WHERE id = $1`,
      [
        id,
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
       SELECT permission FROM (SELECT DISTINCT permission FROM role_permission p JOIN held h ON p.role_id = h.id) found
       ORDER BY permission COLLATE "C"`,
      [tenant, name, immediate],
    );
    return rows.map((r) => r.permission);
  }

  async addPermission(tx: EntityManager, roleId: number, permission: string): Promise<number> {
    const sql = `INSERT INTO role_permission (role_id, permission, schema) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING`;
    return (await run(tx, sql, [roleId, permission, schemaOf(permission)])).count;
  }

  async removePermission(
    tx: EntityManager,
    { tenant, name }: Pick<Role, 'tenant' | 'name'>,
    permission: string,
  ): Promise<number> {
    const { count } = await run(
      tx,
      `DELETE FROM role_permission p USING role r WHERE p.role_id = r.id AND r.tenant = $1 AND r.name = $2
         AND p.permission = $3 AND md5(p.permission) = md5($3)`,
      [tenant, name, permission],
    );
    return count;
  }

  /** Takes permissions away from every role of the tenant: the very string, or everything that begins with it. What went. */
  async removeFromAll(
    tx: EntityManager,
    tenant: string,
    permission: string,
    prefix: boolean,
  ): Promise<{ role: string; permission: string }[]> {
    await this.changeMany(tx, tenant);
    const { rows } = await run<{ role: string; permission: string }>(
      tx,
      `DELETE FROM role_permission p USING role r WHERE p.role_id = r.id AND r.tenant = $1
         AND p.schema = $4 AND (p.permission = $2 OR ($3::boolean AND starts_with(p.permission, $2)))
       RETURNING r.name AS role, p.permission`,
      [tenant, permission, prefix, schemaOf(permission)],
    );
    return rows;
  }

  /** The path permissions of one role, or of all roles of the tenant. */
  async pathPermissions(
    tenant: string,
    schema: string,
    name?: string,
    tx?: EntityManager,
  ): Promise<PathPermission[]> {
    if (tx) await this.changeMany(tx, tenant);
    const sql = `SELECT p.id::int AS id, p.role_id::int AS "roleId", r.name AS role, p.permission
       FROM role_permission p JOIN role r ON r.id = p.role_id
       WHERE r.tenant = $1 AND p.schema = $2 AND ($3::text IS NULL OR r.name = $3) ORDER BY p.permission COLLATE "C", p.id`;
    const params = [tenant, schema, name ?? null];
    return tx
      ? (await run<PathPermission>(tx, sql, params)).rows
      : this.database.query<PathPermission>(sql, params);
  }

  /** Puts new permissions in the place of old ones. */
  async exchange(tx: EntityManager, moves: (PathPermission & { next: string })[]): Promise<void> {
    for (const { id, roleId, next } of moves) {
      await run(tx, 'DELETE FROM role_permission WHERE id = $1', [id]);
      await this.addPermission(tx, roleId, next);
    }
  }

  /** Hangs one role below another; answers undefined when that would close a circle. */
  async addChild(
    tx: EntityManager,
    tenant: string,
    parentId: number,
    childId: number,
  ): Promise<number | undefined> {
    // Two links made at the same time could close a circle together, so links are made one after the other.
    await run(tx, "SELECT pg_advisory_xact_lock(hashtext('role_tree'), hashtext($1))", [tenant]);
    const circle = await run(
      tx,
      `WITH RECURSIVE below AS (SELECT $2::bigint AS id
         UNION SELECT t.child_id FROM role_tree t JOIN below b ON t.parent_id = b.id)
       SELECT 1 FROM below WHERE id = $1`,
      [parentId, childId],
    );
    if (circle.rows.length) return undefined;
    const sql =
      'INSERT INTO role_tree (parent_id, child_id) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    return (await run(tx, sql, [parentId, childId])).count;
  }

  async removeChild(tx: EntityManager, parentId: number, childId: number): Promise<number> {
    const sql = 'DELETE FROM role_tree WHERE parent_id = $1 AND child_id = $2';
    return (await run(tx, sql, [parentId, childId])).count;
  }

  /** Changes of the permissions of many roles come one after the other: they would wait for each other in a circle. */
  private async changeMany(tx: EntityManager, tenant: string): Promise<void> {
    const sql = "SELECT pg_advisory_xact_lock(hashtext('role_permission'), hashtext($1))";
    await run(tx, sql, [tenant]);
  }
}
