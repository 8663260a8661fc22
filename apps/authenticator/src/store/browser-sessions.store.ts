import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';

export interface BrowserSession {
  tenant: string;
  username: string;
  idp_id: string | null;
  began: Date;
  /** False while the second factor is still to come. */
  complete: boolean;
  expires: Date;
}

const MINUTES = 15;
/** However busy, nobody stays longer without a password. */
const HOURS = 12;
const FRESH = `least(began + interval '${HOURS} hours', now() + interval '${MINUTES} minutes')`;

/** Who is logged in with which browser. Ids are kept as hashes: whoever reads the table can't take a session over. */
@Injectable()
export class BrowserSessionsStore {
  constructor(private readonly database: Database) {}

  async add(
    id: string,
    session: Pick<BrowserSession, 'tenant' | 'username' | 'idp_id' | 'complete'>,
  ): Promise<void> {
    const { tenant, username, idp_id, complete } = session;
    await this.database.query('DELETE FROM browser_session WHERE expires < now()');
    await this.database.query(
      `INSERT INTO browser_session (id_hash, tenant, username, idp_id, complete, expires)
       VALUES ($1, $2, $3, $4, $5, now() + interval '${MINUTES} minutes')`,
      [hashOf(id), tenant, username, idp_id, complete],
    );
  }

  /** The session, if it has not ended; its time begins anew at most once a minute. */
  async find(id: string, tenant: string): Promise<BrowserSession | undefined> {
    const [found] = await this.database.query<BrowserSession & { stale: boolean }>(
      `SELECT tenant, username, idp_id, began, complete, expires, seen < now() - interval '1 minute' AS stale
       FROM browser_session WHERE id_hash = $1 AND tenant = $2 AND expires > now()`,
      [hashOf(id), tenant],
    );
    if (!found?.stale) return found;
    await this.database.query(
      `UPDATE browser_session SET seen = now(), expires = ${FRESH} WHERE id_hash = $1`,
      [hashOf(id)],
    );
    return found;
  }

  async end(id: string): Promise<void> {
    await this.database.query('DELETE FROM browser_session WHERE id_hash = $1', [hashOf(id)]);
  }

  /** Everywhere: the account was disabled or its password changed. */
  async endAll(tenant: string, username: string, exceptId = ''): Promise<void> {
    await this.database.query(
      'DELETE FROM browser_session WHERE tenant = $1 AND username = $2 AND id_hash <> $3',
      [tenant, username, hashOf(exceptId)],
    );
  }
}

const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();
