import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';

/** The platform's own directory of people: one row per tenant and user name. */
@Injectable()
export class AccountsStore {
  constructor(private readonly database: Database) {}

  async passwordHash(tenant: string, username: string): Promise<string | undefined> {
    const sql = 'SELECT password_hash AS hash FROM account WHERE tenant = $1 AND username = $2';
    return (await this.database.query<{ hash: string }>(sql, [tenant, username]))[0]?.hash;
  }

  /** The hash of anybody in the tenant: what checking a password costs there. */
  async anyHash(tenant: string): Promise<string | undefined> {
    const sql = 'SELECT password_hash AS hash FROM account WHERE tenant = $1 LIMIT 1';
    return (await this.database.query<{ hash: string }>(sql, [tenant]))[0]?.hash;
  }

  async usernames(tenant: string): Promise<Set<string>> {
    const sql = 'SELECT username FROM account WHERE tenant = $1';
    const rows = await this.database.query<{ username: string }>(sql, [tenant]);
    return new Set(rows.map((r) => r.username));
  }

  async add(tenant: string, username: string, passwordHash: string): Promise<void> {
    await this.database.query(
      'INSERT INTO account (tenant, username, password_hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [tenant, username, passwordHash],
    );
  }
}
