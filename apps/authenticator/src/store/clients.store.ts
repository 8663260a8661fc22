import { Injectable } from '@nestjs/common';
import { Database, isDuplicate } from '@libs/database';
import type { ClientChange } from '../domain/client';

export interface ClientRow {
  tenant: string;
  client_id: string;
  client_type: 'confidential' | 'public';
  key_hash: string | null;
  callback_url: string;
  display_name: string;
  description: string;
  owner: string;
  active: boolean;
  deleted: Date | null;
  created: Date;
  updated: Date;
}

export type NewClientRow = Omit<ClientRow, 'active' | 'deleted' | 'created' | 'updated'>;

const COLUMNS = `tenant, client_id, client_type, key_hash, callback_url, display_name, description, owner, active,
  deleted, created, updated`;
const MOST_LISTED = 1_000;

/** The OAuth clients of all tenants; a deleted one keeps its row, so that its id is never given again. */
@Injectable()
export class ClientsStore {
  constructor(private readonly database: Database) {}

  /** Undefined when the id is taken, also by a client that was deleted. */
  async add(row: NewClientRow): Promise<ClientRow | undefined> {
    try {
      const [made] = await this.database.query<ClientRow>(
        `INSERT INTO oauth_client
           (tenant, client_id, client_type, key_hash, callback_url, display_name, description, owner)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
        [
          row.tenant,
          row.client_id,
          row.client_type,
          row.key_hash,
          row.callback_url,
          row.display_name,
          row.description,
          row.owner,
        ],
      );
      return made;
    } catch (error) {
      if (isDuplicate(error)) return undefined;
      throw error;
    }
  }

  async find(tenant: string, clientId: string): Promise<ClientRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM oauth_client WHERE tenant = $1 AND client_id = $2`;
    return (await this.database.prepared<ClientRow>(sql, [tenant, clientId]))[0];
  }

  list(tenant: string, owner: string, showInactive: boolean): Promise<ClientRow[]> {
    return this.database.query<ClientRow>(
      `SELECT ${COLUMNS} FROM oauth_client WHERE tenant = $1 AND owner = $2 AND (active OR $3)
       ORDER BY created, client_id LIMIT ${MOST_LISTED}`,
      [tenant, owner, showInactive],
    );
  }

  async count(tenant: string, owner: string): Promise<number> {
    const sql =
      'SELECT count(*)::int AS n FROM oauth_client WHERE tenant = $1 AND owner = $2 AND deleted IS NULL';
    return (await this.database.query<{ n: number }>(sql, [tenant, owner]))[0]!.n;
  }

  /** A client that stops has its tokens ended: `ending` says which still wait for that. Never a deleted one. */
  async change(
    tenant: string,
    clientId: string,
    change: ClientChange,
  ): Promise<ClientRow | undefined> {
    const [changed] = await this.database.query<ClientRow>(
      `UPDATE oauth_client SET callback_url = coalesce($3, callback_url),
         display_name = coalesce($4, display_name), description = coalesce($5, description),
         active = coalesce($6, active), tokens_end = tokens_end OR coalesce(NOT $6, false), updated = now()
       WHERE tenant = $1 AND client_id = $2 AND deleted IS NULL RETURNING ${COLUMNS}`,
      [
        tenant,
        clientId,
        change.callback_url,
        change.display_name,
        change.description,
        change.active,
      ],
    );
    return changed;
  }

  async remove(tenant: string, clientId: string): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE oauth_client SET active = false, deleted = now(), tokens_end = true, key_hash = NULL, updated = now()
       WHERE tenant = $1 AND client_id = $2 AND deleted IS NULL RETURNING client_id`,
      [tenant, clientId],
    );
    return rows.length > 0;
  }

  /** Clients that have stopped while tokens of theirs may still be good. */
  ending(): Promise<{ tenant: string; client_id: string }[]> {
    return this.database.query<{ tenant: string; client_id: string }>(
      'SELECT tenant, client_id FROM oauth_client WHERE tokens_end LIMIT 100',
    );
  }

  async ended(tenant: string, clientId: string): Promise<void> {
    await this.database.query(
      'UPDATE oauth_client SET tokens_end = false WHERE tenant = $1 AND client_id = $2',
      [tenant, clientId],
    );
  }
}
