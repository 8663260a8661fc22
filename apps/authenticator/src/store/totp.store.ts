import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import { type AuthEvent, insertEvent } from './auth-events.store';

/** A person's second factor; its secret is in the security kernel. */
export interface TotpEnrolment {
  enrolment: string;
  /** Null until the first code has proved that the secret arrived. */
  confirmed: Date | null;
  codesLeft: number;
}

/** Second factors and their recovery codes, of which only hashes are kept. */
@Injectable()
export class TotpStore {
  constructor(private readonly database: Database) {}

  async find(tenant: string, username: string): Promise<TotpEnrolment | undefined> {
    const [row] = await this.database.query<TotpEnrolment>(
      `SELECT enrolment, confirmed, (SELECT count(*)::int FROM recovery_code c
         WHERE c.tenant = t.tenant AND c.username = t.username) AS "codesLeft"
       FROM totp t WHERE tenant = $1 AND username = $2`,
      [tenant, username],
    );
    return row;
  }

  /** A new secret that is still to be confirmed; false when there is a confirmed one already. */
  async begin(tenant: string, username: string, enrolment: string): Promise<boolean> {
    const begun = await this.database.query(
      `INSERT INTO totp (tenant, username, enrolment) VALUES ($1, $2, $3)
       ON CONFLICT (tenant, username) DO UPDATE SET enrolment = $3, created = now(), last_step = 0
       WHERE totp.confirmed IS NULL RETURNING enrolment`,
      [tenant, username, enrolment],
    );
    return begun.length > 0;
  }

  /**
   * Counts a code as used: false when it, or a later one, was used before, or when the enrolment is another by now.
   * The first one confirms the enrolment.
   */
  async use(tenant: string, username: string, enrolment: string, step: number): Promise<boolean> {
    const used = await this.database.query(
      `UPDATE totp SET last_step = $4, confirmed = coalesce(confirmed, now())
       WHERE tenant = $1 AND username = $2 AND enrolment = $3 AND last_step < $4 RETURNING 1`,
      [tenant, username, enrolment, step],
    );
    return used.length > 0;
  }

  /** In place of those there were. */
  async setCodes(tenant: string, username: string, codes: string[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      const whose = [tenant, username];
      await tx.query('DELETE FROM recovery_code WHERE tenant = $1 AND username = $2', whose);
      await tx.query(
        'INSERT INTO recovery_code SELECT $1, $2, hash FROM unnest($3::bytea[]) AS hash',
        [...whose, codes.map(hashOf)],
      );
    });
  }

  /** Each works once. */
  async useCode(tenant: string, username: string, code: string): Promise<boolean> {
    const used = await this.database.query(
      'DELETE FROM recovery_code WHERE tenant = $1 AND username = $2 AND code_hash = $3 RETURNING 1',
      [tenant, username, hashOf(code)],
    );
    return used.length > 0;
  }

  /** With its recovery codes; false when there was none. The record is kept with it. */
  async remove(tenant: string, username: string, event: AuthEvent): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const sql = 'DELETE FROM totp WHERE tenant = $1 AND username = $2';
      const { count } = await run(tx, sql, [tenant, username]);
      if (count) await insertEvent(tx, event);
      return count > 0;
    });
  }
}

/** The codes are as long as keys, so a plain hash of them can't be searched. */
const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();
