import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import { schemaOf } from '../domain/permission';
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

  async grant(tenant: string, user: string, roleId: number): Promise<number> {
    const sql = `INSERT INTO user_role (tenant, username, role_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`;
    return (await this.database.query(sql, [tenant, user, roleId])).length;
  }

  async revoke(tenant: string, user: string, roleId: number): Promise<number> {
    const sql =
      'DELETE FROM user_role WHERE tenant = $1 AND username = $2 AND role_id = $3 RETURNING 1';
    return (await this.database.query(sql, [tenant, user, roleId])).length;
  }

  /** Revokes the role unless this user is its last holder; answers undefined then. */
  async revokeUnlessLast(
    tenant: string,
    user: string,
    roleId: number,
  ): Promise<number | undefined> {
    return this.database.transaction(async (tx) => {
      await run(tx, 'SELECT id FROM role WHERE id = $1 FOR UPDATE', [roleId]);
      const holders = await run<{ username: string }>(
        tx,
        'SELECT username FROM user_role WHERE tenant = $1 AND role_id = $2',
        [tenant, roleId],
      );
      if (!holders.rows.some((h) => h.username === user)) return 0;
      if (holders.rows.length === 1) return undefined;
      await run(tx, 'DELETE FROM user_role WHERE tenant = $1 AND username = $2 AND role_id = $3', [
        tenant,
        user,
        roleId,
      ]);
      return 1;
    });
  }

  /** Gives the user's default role the permission; counts the role made, the role granted and the permission added. */
  async grantPermission(
    tenant: string,
    user: string,
    permission: string,
    author: Author,
  ): Promise<number> {
    const name = defaultRole(user);
    const made = await this.roles.create(
      { tenant, name, description: `Default role of ${user}` },
      author,
    );
    const role = await this.roles.find(tenant, name);
    const granted = await this.grant(tenant, user, role!.id);
    return Number(made) + granted + (await this.roles.addPermission(role!.id, permission));
  }

  /** Names of all roles the user holds, in order. */
  async roleNames(tenant: string, user: string): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      `${HELD} SELECT r.name FROM role r JOIN held h ON h.role_id = r.id ORDER BY r.name COLLATE "C"`,
      [tenant, user],
    );
    return rows.map((r) => r.name);
  }

  /** Those of the user's permissions that could imply something of this schema; all of them without one. */
  async permissions(tenant: string, user: string, requested?: string): Promise<string[]> {
    const rows = await this.database.prepared<{ permission: string }>(
      `${HELD} SELECT DISTINCT p.permission FROM role_permission p JOIN held h ON h.role_id = p.role_id
       WHERE $3::text IS NULL OR p.schema = $3 OR p.schema LIKE '%*%' OR p.schema LIKE '%,%'
       ORDER BY p.permission`,
      [tenant, user, requested === undefined ? null : schemaOf(requested)],
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
      `${sql} ORDER BY username`,
      params,
    );
    return rows.map((r) => r.username);
  }
}
