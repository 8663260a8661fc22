import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';

export interface NewDeviceRow {
  code_hash: string;
  user_code_hash: string;
  tenant: string;
  client_id: string;
  scope: string | null;
  seconds: number;
  pause_seconds: number;
}

export interface DeviceRow {
  code_hash: string;
  client_id: string;
  scope: string | null;
  /** `created` until the person has answered. */
  state: 'created' | 'entered' | 'denied' | 'used';
  username: string | null;
  idp_id: string | null;
  access_seconds: number | null;
  expired: boolean;
}

/** Device codes by their hashes (RFC 8628). */
@Injectable()
export class DeviceCodesStore {
  constructor(private readonly database: Database) {}

  /** False when the user code is one that somebody else has right now. */
  async add(row: NewDeviceRow): Promise<boolean> {
    const made = await this.database.query(
      `INSERT INTO device_code (code_hash, user_code_hash, tenant, client_id, state, scope, pause_seconds, expires)
       VALUES ($1, $2, $3, $4, 'created', $5, $6, now() + $7 * interval '1 second')
       ON CONFLICT DO NOTHING RETURNING 1`,
      [
        row.code_hash,
        row.user_code_hash,
        row.tenant,
        row.client_id,
        row.scope,
        row.pause_seconds,
        row.seconds,
      ],
    );
    return made.length > 0;
  }

  async find(tenant: string, hash: string): Promise<DeviceRow | undefined> {
    const sql = `SELECT code_hash, client_id, scope, state, username, idp_id, access_seconds, expires < now() AS expired
      FROM device_code WHERE tenant = $1 AND code_hash = $2`;
    return (await this.database.query<DeviceRow>(sql, [tenant, hash]))[0];
  }

  /** Notes that the device asked; true if that was too soon, which also makes its pause longer by 5 s. */
  async poll(hash: string): Promise<boolean> {
    const [row] = await this.database.query<{ early: boolean }>(
      `UPDATE device_code d SET polled = now(),
         pause_seconds = d.pause_seconds + CASE WHEN o.early THEN 5 ELSE 0 END
       FROM (SELECT code_hash, coalesce(polled > now() - pause_seconds * interval '1 second', false) AS early
             FROM device_code WHERE code_hash = $1 FOR UPDATE) o
       WHERE d.code_hash = o.code_hash RETURNING o.early`,
      [hash],
    );
    return row?.early ?? false;
  }

  /** The client of a user code that waits for its answer. */
  async waiting(tenant: string, userCodeHash: string): Promise<string | undefined> {
    const sql = `SELECT client_id FROM device_code
      WHERE tenant = $1 AND user_code_hash = $2 AND state = 'created' AND expires > now()`;
    const [row] = await this.database.query<{ client_id: string }>(sql, [tenant, userCodeHash]);
    return row?.client_id;
  }

  /** The person's answer; true if the code still waited for it. */
  async answer(
    tenant: string,
    userCodeHash: string,
    answer: {
      state: 'entered' | 'denied';
      username: string;
      idpId?: string;
      accessSeconds?: number;
    },
  ): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE device_code SET state = $3, username = $4, idp_id = $5, access_seconds = $6
       WHERE tenant = $1 AND user_code_hash = $2 AND state = 'created' AND expires > now() RETURNING 1`,
      [tenant, userCodeHash, answer.state, answer.username, answer.idpId, answer.accessSeconds],
    );
    return rows.length > 0;
  }

  /** One caller gets it. */
  async take(hash: string): Promise<boolean> {
    const sql =
      "UPDATE device_code SET state = 'used' WHERE code_hash = $1 AND state = 'entered' RETURNING 1";
    return (await this.database.query(sql, [hash])).length > 0;
  }

  async giveBack(hash: string): Promise<void> {
    const sql =
      "UPDATE device_code SET state = 'entered' WHERE code_hash = $1 AND state = 'used' RETURNING 1";
    await this.database.query(sql, [hash]);
  }

  async remove(hash: string): Promise<void> {
    await this.database.query('DELETE FROM device_code WHERE code_hash = $1', [hash]);
  }

  /** An expired code is known as such for a while. */
  async forgetOld(): Promise<void> {
    await this.database.query("DELETE FROM device_code WHERE expires < now() - interval '1 hour'");
  }
}
