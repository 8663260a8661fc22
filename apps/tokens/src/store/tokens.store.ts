import { Injectable } from '@nestjs/common';
import { Revocations } from '@libs/auth';
import { Database, Outbox, run } from '@libs/database';
import { tenantsChanged, tokensRevoked } from '@libs/messages';
import type { EntityManager } from 'typeorm';

export interface RefreshRow {
  jti: string;
  family: string;
  access_jti: string;
  access_exp: Date;
  expires: Date;
}

/** An answer waits this long for the news to leave. */
const TOLD_MS = 1_000;

const at = (seconds: number) => new Date(seconds * 1000);

/** Who else must hear of revocations, beside the services of this site. */
export interface Others {
  nudge(): void;
  settled(ms: number): Promise<void>;
}

/** Which refresh tokens were used, and which tokens must not be accepted any more. No token itself is kept. */
@Injectable()
export class TokensStore {
  private others?: Others;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly revocations: Revocations,
  ) {}

  tellAlso(others: Others): void {
    this.others = others;
  }

  async addRefresh(row: RefreshRow, tx?: EntityManager): Promise<void> {
    const sql =
      'INSERT INTO refresh_token (jti, family, access_jti, access_exp, expires) VALUES ($1, $2, $3, $4, $5)';
    const params = [row.jti, row.family, row.access_jti, row.access_exp, row.expires];
    await (tx ? run(tx, sql, params) : this.database.query(sql, params));
  }

  /**
   * Uses up a refresh token and keeps the one that takes its place, both or neither. An unknown or revoked one
   * answers `unknown`; one used before answers `reused`, and its whole family is revoked.
   */
  async rotate(
    jti: string,
    next: Omit<RefreshRow, 'family'>,
  ): Promise<'rotated' | 'unknown' | 'reused'> {
    const outcome = await this.database.transaction(async (tx) => {
      const { rows } = await run<{ family: string; used: Date | null; revoked: boolean }>(
        tx,
        'SELECT family, used, revoked FROM refresh_token WHERE jti = $1 FOR UPDATE',
        [jti],
      );
      const old = rows[0];
      if (!old || old.revoked) return 'unknown' as const;
      if (old.used) {
        await this.revokeFamily(tx, old.family);
        return 'reused' as const;
      }
      await run(tx, 'UPDATE refresh_token SET used = now() WHERE jti = $1', [jti]);
      await this.addRefresh({ ...next, family: old.family }, tx);
      return 'rotated' as const;
    });
    if (outcome === 'reused') await this.told();
    return outcome;
  }

  /** An access token alone, or with a refresh token everything that came from the same login; others know it then. */
  async revoke(jti: string, exp: number, isRefresh: boolean): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!isRefresh) return this.revokeAccess(tx, jti, at(exp));
      const { rows } = await run<{ family: string }>(
        tx,
        'SELECT family FROM refresh_token WHERE jti = $1',
        [jti],
      );
      if (rows[0]) await this.revokeFamily(tx, rows[0].family);
    });
    await this.told();
  }

  /** As `revoke`, for tokens of either kind that are known by their ids. */
  async revokeIssued(tokens: readonly { jti: string; exp: number }[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const { jti, exp } of tokens) {
        const { rows } = await run<{ family: string }>(
          tx,
          'SELECT family FROM refresh_token WHERE jti = $1',
          [jti],
        );
        if (rows[0]) await this.revokeFamily(tx, rows[0].family);
        else await this.revokeAccess(tx, jti, at(exp));
      }
    });
    await this.told();
  }

  /** Revoked somewhere else; how long that is remembered has a limit. */
  async addRevoked(tokens: readonly { jti: string; exp: number }[], latest: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const { jti, exp } of tokens) {
        const until = at(exp) < latest ? at(exp) : latest;
        await this.revokeAccess(tx, jti, until);
      }
    });
    await this.told();
  }

  async untold(limit: number): Promise<{ jti: string; exp: number }[]> {
    return this.database.query<{ jti: string; exp: number }>(
      `SELECT jti, extract(epoch FROM expires)::int AS exp FROM revoked_token
       WHERE NOT told AND expires > now() ORDER BY expires LIMIT $1`,
      [limit],
    );
  }

  async markTold(jtis: readonly string[]): Promise<void> {
    await this.database.query('UPDATE revoked_token SET told = true WHERE jti = ANY($1)', [jtis]);
  }

  async revoked(): Promise<{ jti: string; exp: number }[]> {
    return this.database.query<{ jti: string; exp: number }>(
      'SELECT jti, extract(epoch FROM expires)::int AS exp FROM revoked_token WHERE expires > now()',
    );
  }

  /** To the services of this site; the registry at the primary tells its own. */
  async tellTenantsChanged(): Promise<void> {
    await this.database.transaction((tx) => this.outbox.add(tx, tenantsChanged, {}));
    await this.outbox.settled(TOLD_MS);
  }

  async forgetExpired(): Promise<void> {
    await this.database.query('DELETE FROM revoked_token WHERE expires < now()');
    await this.database.query('DELETE FROM refresh_token WHERE expires < now()');
  }

  private async told(): Promise<void> {
    await Promise.all([this.outbox.settled(TOLD_MS), this.others?.settled(TOLD_MS)]);
  }

  private async revokeFamily(tx: EntityManager, family: string): Promise<void> {
    const { rows } = await run<RefreshRow>(
      tx,
      'UPDATE refresh_token SET revoked = true WHERE family = $1 RETURNING access_jti, access_exp',
      [family],
    );
    for (const row of rows) await this.revokeAccess(tx, row.access_jti, row.access_exp);
  }

  private async revokeAccess(tx: EntityManager, jti: string, expires: Date): Promise<void> {
    if (expires.getTime() < Date.now()) return;
    await run(
      tx,
      'INSERT INTO revoked_token (jti, expires) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [jti, expires],
    );
    const exp = Math.ceil(expires.getTime() / 1000);
    // This service refuses it as soon as the revocation is answered, the others when they hear of it.
    this.database.afterCommit(tx, () => {
      this.revocations.add(jti, exp);
      this.others?.nudge();
    });
    await this.outbox.add(tx, tokensRevoked, { jti, exp });
  }
}
