import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';

/** From where people have come in before; `who` is the key that their failures are counted by. */
@Injectable()
export class KnownPlacesStore {
  constructor(private readonly database: Database) {}

  async has(who: string, address: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM known_place WHERE who = $1 AND address = $2';
    return (await this.database.prepared(sql, [who, address])).length > 0;
  }

  /** Written once a day at most: whoever logs in all the time costs no more than others. */
  async remember(who: string, address: string): Promise<void> {
    await this.database.query(
      `INSERT INTO known_place AS p (who, address) VALUES ($1, $2)
       ON CONFLICT (who, address) DO UPDATE SET seen = now() WHERE p.seen < now() - interval '1 day'`,
      [who, address],
    );
  }

  async forgetOlderThan(days: number): Promise<void> {
    const sql = "DELETE FROM known_place WHERE seen < now() - $1 * interval '1 day'";
    await this.database.query(sql, [days]);
  }
}
