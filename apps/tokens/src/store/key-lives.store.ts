import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';

/** Ends are rounded up to this, so that most tokens cost no row. */
const STEP_SECONDS = 3_600;

/** Until when tokens exist that a key signed; known before the first of them is given away. */
@Injectable()
export class KeyLivesStore {
  private readonly known = new Map<string, number>();

  constructor(private readonly database: Database) {}

  /** The key signs a token that expires then (seconds). */
  async needed(kid: string, tenant: string, exp: number): Promise<void> {
    if ((this.known.get(kid) ?? 0) >= exp) return;
    const until = Math.ceil(exp / STEP_SECONDS) * STEP_SECONDS;
    await this.database.query(
      `INSERT INTO key_life (kid, tenant, until) VALUES ($1, $2, to_timestamp($3::float8))
       ON CONFLICT (kid) DO UPDATE SET until = greatest(key_life.until, excluded.until)`,
      [kid, tenant, until],
    );
    this.known.set(kid, Math.max(until, this.known.get(kid) ?? 0));
  }

  /** By key id. */
  async of(tenant: string): Promise<Map<string, Date>> {
    const sql = 'SELECT kid, until FROM key_life WHERE tenant = $1';
    const rows = await this.database.query<{ kid: string; until: Date }>(sql, [tenant]);
    return new Map(rows.map(({ kid, until }) => [kid, until]));
  }

  async forgetExpired(): Promise<void> {
    await this.database.query('DELETE FROM key_life WHERE until < now()');
  }
}
