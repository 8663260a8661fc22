import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import { type AuthEvent, insertEvent } from './auth-events.store';

export interface IssuedRow {
  jti: string;
  tenant: string;
  username: string;
  client_id: string | null;
  grant_type: string;
  ttl_seconds: number;
  refresh_jti: string | null;
  expires: Date;
  ends: Date;
}

/** Which tokens were given to whom; no token itself. */
@Injectable()
export class IssuedTokensStore {
  constructor(private readonly database: Database) {}

  /** With its audit record. False, and nothing is kept, when the client has been stopped meanwhile. */
  async add(row: IssuedRow, event: AuthEvent): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if (row.client_id !== null) {
        const { rows } = await run<{ active: boolean }>(
          tx,
          'SELECT active FROM oauth_client WHERE tenant = $1 AND client_id = $2 FOR SHARE',
          [row.tenant, row.client_id],
        );
        if (!rows[0]?.active) return false;
      }
      await run(
        tx,
        `INSERT INTO issued_token (jti, tenant, username, client_id, grant_type, ttl_seconds, refresh_jti, expires, ends)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
        [
          row.jti,
          row.tenant,
          row.username,
          row.client_id,
          row.grant_type,
          row.ttl_seconds,
          row.refresh_jti,
          row.expires,
          row.ends,
        ],
      );
      await insertEvent(tx, event);
      return true;
    });
  }

  /** Of a client, those that may still be good: refresh tokens where there are, for their whole login ends with them. */
  async ofClient(tenant: string, clientId: string): Promise<{ jti: string; exp: number }[]> {
    return this.database.query<{ jti: string; exp: number }>(
      `SELECT coalesce(refresh_jti, jti) AS jti, extract(epoch FROM ends)::int AS exp FROM issued_token
       WHERE tenant = $1 AND client_id = $2 AND revoked IS NULL AND ends > now() ORDER BY created LIMIT 1000`,
      [tenant, clientId],
    );
  }

  async revoked(jtis: readonly string[]): Promise<void> {
    await this.database.query(
      'UPDATE issued_token SET revoked = now() WHERE (jti = ANY($1) OR refresh_jti = ANY($1)) AND revoked IS NULL',
      [jtis],
    );
  }

  async forgetOld(): Promise<void> {
    await this.database.query('DELETE FROM issued_token WHERE ends < now()');
  }
}
