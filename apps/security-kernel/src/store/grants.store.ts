import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import { defaultRole } from '../domain/role-name';
import { RolesStore, type Author } from './roles.store';

const HELD = `WITH RECURSIVE held AS (
    SELECT role_id FROM user_role WHERE tenant = $1 AND username = $2
    UNION SELECT t.child_id FROM role_tree t JOIN held h ON t.parent_id = h.role_id)`;

/** Which roles the users of a tenant hold, directly and through nesting. */
@Injectable()
export class GrantsStore {
  constructor(
    private readonly database: Database,
    private readonly roles: RolesStore,
  ) {}

  async grant(tx: EntityManager, tenant: string, user: string, roleId: number): Promise<number> {
    const sql =
      'INSERT INTO user_role (tenant, username, role_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
    return (await run(tx, sql, [tenant, user, roleId])).count;
  }

  async revoke(tx: EntityManager, tenant: string, user: string, roleId: number): Promise<number> {
    const sql = 'DELETE FROM user_role WHERE tenant = $1 AND username = $2 AND role_id = $3';
    return (await run(tx, sql, [tenant, user, roleId])).count;
  }

  /** Whether somebody else holds the role itself; the caller has locked it. */
  async othersHold(
    tx: EntityManager,
    tenant: string,
    user: string,
    roleId: number,
  ): Promise<boolean> {
    const sql =
      'SELECT 1 FROM user_role WHERE tenant = $1 AND username <> $2 AND role_id = $3 LIMIT 1';
    return (await run(tx, sql, [tenant, user, roleId])).rows.length > 0;
  }

  /** Gives the user's default role the permission; counts the role made, the role granted and the permission added. */
  async grantPermission(
    tx: EntityManager,
    tenant: string,
    user: string,
    permission: string,
    author: Author,
  ): Promise<number> {
    const name = defaultRole(user);
    const description = `Default role of ${user}`;
    const made = await this.roles.create(tx, { tenant, name, description }, author);
    const role = await this.roles.lock(tx, { tenant, name });
    // The permission first: it may have to wait for who takes it away, and must hold nothing then that they wait for.
    const added = await this.roles.addPermission(tx, role!.id, permission);
    return Number(made) + added + (await this.grant(tx, tenant, user, role!.id));
  }

  /** A number that grows with each change of what the user holds. */
  async version(tenant: string, user: string): Promise<string> {
    const [row] = await this.database.prepared<{ version: string }>(
      `SELECT coalesce(sum(version), 0)::text AS version FROM grants_version WHERE tenant = $1 AND username IN ('', $2)`,
      [tenant, user],
    );
    return row!.version;
  }

  /** Names of all roles the user holds, in order. */
  async roleNames(tenant: string, user: string): Promise<string[]> {
    const rows = await this.database.prepared<{ name: string }>(
      `${HELD} SELECT r.name FROM role r JOIN held h ON h.role_id = r.id ORDER BY r.name COLLATE "C"`,
      [tenant, user],
    );
    return rows.map((r) => r.name);
  }

  /** All the user's permissions, in order. */
  async permissions(tenant: string, user: string): Promise<string[]> {
    const rows = await this.database.prepared<{ permission: string }>(
      `${HELD} SELECT permission FROM (
         SELECT DISTINCT p.permission FROM role_permission p JOIN held h ON h.role_id = p.role_id) found
       ORDER BY permission COLLATE "C"`,
      [tenant, user],
    );
    return rows.map((r) => r.permission);
  }

  async users(tenant: string): Promise<string[]> {
    return this.usernames('SELECT DISTINCT username FROM user_role WHERE tenant = $1', [tenant]);
  }

  /** Everybody who holds the role, directly or through a role above it. */
  async holders(tenant: string, roleId: number): Promise<string[]> {
    return this.usernames(
      `WITH RECURSIVE above AS (SELECT $2::bigint AS id
         UNION SELECT t.parent_id FROM role_tree t JOIN above a ON t.child_id = a.id)
       SELECT DISTINCT u.username FROM user_role u JOIN above a ON u.role_id = a.id WHERE u.tenant = $1`,
      [tenant, roleId],
    );
  }

  /** Everybody with a permission that matches the text; `%` stands for any characters. */
  async usersWithPermission(tenant: string, pattern: string): Promise<string[]> {
    return this.usernames(
      `WITH RECURSIVE above AS (
         SELECT p.role_id AS id FROM role_permission p JOIN role r ON r.id = p.role_id
         WHERE r.tenant = $1 AND p.permission LIKE $2 ESCAPE '\\'
         UNION SELECT t.parent_id FROM role_tree t JOIN above a ON t.child_id = a.id)
       SELECT DISTINCT u.username FROM user_role u JOIN above a ON u.role_id = a.id WHERE u.tenant = $1`,
      [tenant, pattern.replace(/[\\_]/g, '\\$&')],
    );
  }

  private async usernames(sql: string, params: unknown[]): Promise<string[]> {
    const rows = await this.database.query<{ username: string }>(
      `SELECT username FROM (${sql}) found ORDER BY username COLLATE "C"`,
      params,
    );
    return rows.map((r) => r.username);
  }
}
