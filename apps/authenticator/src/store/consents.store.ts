import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';

/** Clients that a person has allowed once and for all. */
@Injectable()
export class ConsentsStore {
  constructor(private readonly database: Database) {}

  async has(tenant: string, username: string, clientId: string, scope = ''): Promise<boolean> {
    const found = await this.database.query(
      `SELECT 1 FROM remembered_consent
       WHERE tenant = $1 AND username = $2 AND client_id = $3 AND scope = $4`,
      [tenant, username, clientId, scope],
    );
    return found.length > 0;
  }

  async remember(tenant: string, username: string, clientId: string, scope = ''): Promise<void> {
    await this.database.query(
      `INSERT INTO remembered_consent (tenant, username, client_id, scope)
       VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [tenant, username, clientId, scope],
    );
  }

  async list(tenant: string, username: string): Promise<{ client_id: string; given: Date }[]> {
    return this.database.query(
      `SELECT client_id, min(given) AS given FROM remembered_consent
       WHERE tenant = $1 AND username = $2 GROUP BY client_id ORDER BY client_id`,
      [tenant, username],
    );
  }

  async forget(tenant: string, username: string, clientId: string): Promise<void> {
    await this.database.query(
      'DELETE FROM remembered_consent WHERE tenant = $1 AND username = $2 AND client_id = $3',
      [tenant, username, clientId],
    );
  }
}
