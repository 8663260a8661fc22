import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';

/** Failures and requests, counted where every process of the service sees them. */
@Injectable()
export class AttemptsStore {
  constructor(private readonly database: Database) {}

  /** Seconds until all of the keys may be tried again; 0 when they may now. */
  async lockedFor(limits: Readonly<Record<string, number>>, seconds: number): Promise<number> {
    const [row] = await this.database.query<{ wait: number | null }>(
      `SELECT ceil(max(extract(epoch FROM since + $3 * interval '1 second' - now())))::int AS wait
       FROM failed_attempt JOIN unnest($1::text[], $2::int[]) AS l (k, most) ON key = k
       WHERE failures >= most AND since > now() - $3 * interval '1 second'`,
      [Object.keys(limits), Object.values(limits), seconds],
    );
    return Math.max(0, row?.wait ?? 0);
  }

  /** One more failure for each key. The one that locks begins the time anew, so a lock always lasts its whole time. */
  async failed(limits: Readonly<Record<string, number>>, seconds: number): Promise<void> {
    await this.database.query(
      `INSERT INTO failed_attempt AS f (key, failures, since)
       SELECT k, 1, now() FROM unnest($1::text[]) AS l (k) ORDER BY k
       ON CONFLICT (key) DO UPDATE SET
         failures = CASE WHEN f.since < now() - $3 * interval '1 second' THEN 1 ELSE f.failures + 1 END,
         since = CASE WHEN f.since < now() - $3 * interval '1 second'
             OR f.failures + 1 = (SELECT most FROM unnest($1::text[], $2::int[]) AS l (k, most) WHERE k = f.key)
           THEN now() ELSE f.since END`,
      [Object.keys(limits), Object.values(limits), seconds],
    );
  }

  async succeeded(key: string): Promise<void> {
    await this.database.query('DELETE FROM failed_attempt WHERE key = $1', [key]);
  }

  /** Counts one request for each key in the running minute; answers the counts, and the seconds the minute still has. */
  async count(keys: readonly string[]): Promise<{ counts: Map<string, number>; left: number }> {
    const rows = await this.database.prepared<{ key: string; count: number; left: number }>(
      `INSERT INTO rate_window AS w (key, starts, count)
       SELECT k, date_trunc('minute', now()), 1 FROM unnest($1::text[]) AS l (k) ORDER BY k
       ON CONFLICT (key) DO UPDATE SET starts = excluded.starts,
         count = CASE WHEN w.starts = excluded.starts THEN w.count + 1 ELSE 1 END
       RETURNING key, count, ceil(extract(epoch FROM starts + interval '1 minute' - now()))::int AS left`,
      [keys],
    );
    return { counts: new Map(rows.map((r) => [r.key, r.count])), left: rows[0]?.left ?? 1 };
  }

  async forgetOld(seconds: number): Promise<void> {
    const sql = "DELETE FROM failed_attempt WHERE since < now() - $1 * interval '1 second'";
    await this.database.query(sql, [seconds]);
    await this.database.query(
      "DELETE FROM rate_window WHERE starts < now() - interval '10 minutes'",
    );
  }
}
