import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import { type AuthEvent, insertEvent } from './auth-events.store';

/** A person in the platform's own directory. */
export interface Account {
  tenant: string;
  username: string;
  given_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  mobile_phone: string | null;
  enabled: boolean;
  /** Made by SEED_ACCOUNTS, with a password that everybody knows. */
  seeded: boolean;
  created: Date;
  updated: Date;
}

export const PROFILE_COLUMNS = [
  'given_name',
  'last_name',
  'email',
  'phone',
  'mobile_phone',
] as const;
export type AccountChange = Partial<Pick<Account, (typeof PROFILE_COLUMNS)[number] | 'enabled'>> & {
  password_hash?: string;
};

const SHOWN = ['tenant', 'username', ...PROFILE_COLUMNS, 'enabled', 'seeded', 'created', 'updated'];
const COLUMNS = SHOWN.join(', ');

/** The platform's own directory of people: one row per tenant and user name. */
@Injectable()
export class AccountsStore {
  constructor(private readonly database: Database) {}

  async find(tenant: string, username: string): Promise<Account | undefined> {
    const sql = `SELECT ${COLUMNS} FROM account WHERE tenant = $1 AND username = $2`;
    return (await this.database.query<Account>(sql, [tenant, username]))[0];
  }

  async withHash(
    tenant: string,
    username: string,
  ): Promise<(Account & { password_hash: string }) | undefined> {
    const sql = `SELECT ${COLUMNS}, password_hash FROM account WHERE tenant = $1 AND username = $2`;
    type Row = Account & { password_hash: string };
    return (await this.database.query<Row>(sql, [tenant, username]))[0];
  }

  /** The hash of anybody in the tenant: what checking a password costs there. */
  async anyHash(tenant: string): Promise<string | undefined> {
    const sql = 'SELECT password_hash AS hash FROM account WHERE tenant = $1 LIMIT 1';
    return (await this.database.query<{ hash: string }>(sql, [tenant]))[0]?.hash;
  }

  /** By name; a page of them. */
  list(
    tenant: string,
    { limit, offset, enabledOnly }: { limit: number; offset: number; enabledOnly: boolean },
  ): Promise<Account[]> {
    return this.database.query<Account>(
      `SELECT ${COLUMNS} FROM account WHERE tenant = $1 AND (enabled OR NOT $2)
       ORDER BY username COLLATE "C" LIMIT $3 OFFSET $4`,
      [tenant, enabledOnly, limit, offset],
    );
  }

  /** False when the name is taken. The record of it is kept with it. */
  async add(
    tenant: string,
    username: string,
    passwordHash: string,
    more: AccountChange & { seeded?: boolean } = {},
    event?: AuthEvent,
  ): Promise<boolean> {
    const { enabled = true, seeded = false } = more;
    const profile = PROFILE_COLUMNS.map((column) => more[column] ?? null);
    return this.database.transaction(async (tx) => {
      const { count } = await run(
        tx,
        `INSERT INTO account (tenant, username, password_hash, enabled, seeded, ${PROFILE_COLUMNS.join(', ')})
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING username`,
        [tenant, username, passwordHash, enabled, seeded, ...profile],
      );
      if (count && event) await insertEvent(tx, event);
      return count > 0;
    });
  }

  /** What is named changes, the rest stays; undefined when there is no such account. The records are kept with it. */
  async change(
    tenant: string,
    username: string,
    change: AccountChange,
    events: AuthEvent[] = [],
  ): Promise<Account | undefined> {
    const values: unknown[] = [tenant, username];
    const sets = ['updated = now()'];
    for (const column of [...PROFILE_COLUMNS, 'enabled', 'password_hash'] as const)
      if (change[column] !== undefined) sets.push(`${column} = $${values.push(change[column])}`);
    if (change.password_hash) sets.push('seeded = false');
    const sql = `UPDATE account SET ${sets.join(', ')} WHERE tenant = $1 AND username = $2 RETURNING ${COLUMNS}`;
    return this.database.transaction(async (tx) => {
      const [changed] = (await run<Account>(tx, sql, values)).rows;
      if (changed) for (const event of events) await insertEvent(tx, event);
      return changed;
    });
  }

  /** Only while the old hash is still there: a password that was changed meanwhile stays changed. */
  async replaceHash(tenant: string, username: string, from: string, to: string): Promise<void> {
    await this.database.query(
      'UPDATE account SET password_hash = $4 WHERE tenant = $1 AND username = $2 AND password_hash = $3',
      [tenant, username, from, to],
    );
  }

  async usernames(tenant: string): Promise<Set<string>> {
    const sql = 'SELECT username FROM account WHERE tenant = $1';
    const rows = await this.database.query<{ username: string }>(sql, [tenant]);
    return new Set(rows.map((r) => r.username));
  }
}
