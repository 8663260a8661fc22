import { Client } from 'pg';
import type { DataSource } from 'typeorm';

/** Any number; only migrations take this lock, and locks are per database. */
const MIGRATIONS_LOCK = 4_021_977;

/** Runs the pending migrations; of several processes that start at once one does the work and the others wait. */
export async function migrate(dataSource: DataSource, url: string): Promise<void> {
  const guard = new Client({ connectionString: url });
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATIONS_LOCK]);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await guard.end();
  }
}
