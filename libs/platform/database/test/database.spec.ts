import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { freshDatabase } from '@libs/kit';
import { Database, isDuplicate, run } from '../src';

class CreateThings1750000000001 implements MigrationInterface {
  async up(runner: QueryRunner) {
    await runner.query('CREATE TABLE things (id text PRIMARY KEY)');
  }
  async down() {}
}

const open: Database[] = [];
const start = async (url: string) => {
  const database = await Database.open(url, {
    service: 'things',
    migrations: [CreateThings1750000000001],
  });
  open.push(database);
  return database;
};
afterAll(() => Promise.all(open.map((database) => database.close())));

it('creates and migrates one database when several processes start at once', async () => {
  const url = freshDatabase();
  const all = await Promise.all(Array.from({ length: 6 }, () => start(url)));
  await all[0]!.query('INSERT INTO things VALUES ($1)', ['a']);
  for (const database of all)
    expect(await database.query('SELECT id FROM things')).toEqual([{ id: 'a' }]);
  const again = await start(url);
  expect(await again.prepared('SELECT id FROM things WHERE id = $1', ['a'])).toEqual([{ id: 'a' }]);
});

it('orders text by code point', async () => {
  const database = await start(freshDatabase());
  for (const id of ['b', 'B', 'é', 'a', '_'])
    await database.query('INSERT INTO things VALUES ($1)', [id]);
  const rows = await database.query<{ id: string }>('SELECT id FROM things ORDER BY id');
  expect(rows.map((row) => row.id)).toEqual(['B', '_', 'a', 'b', 'é']);
});

describe('a transaction', () => {
  let database: Database;
  beforeAll(async () => (database = await start(freshDatabase())));

  it('is all or nothing, and what waits for the commit runs only then', async () => {
    const heard: string[] = [];
    const failing = database.transaction(async (tx) => {
      await run(tx, 'INSERT INTO things VALUES ($1)', ['lost']);
      database.afterCommit(tx, () => heard.push('lost'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const made = await database.transaction(async (tx) => {
      database.afterCommit(tx, () => heard.push('kept'));
      return run(tx, 'INSERT INTO things VALUES ($1)', ['kept']);
    });
    expect(made.count).toBe(1);
    expect(heard).toEqual(['kept']);
    expect(await database.query('SELECT id FROM things')).toEqual([{ id: 'kept' }]);
  });

  it('answers rows and count for every verb', async () => {
    await database.transaction(async (tx) => {
      expect(await run(tx, 'UPDATE things SET id = id RETURNING id')).toEqual({
        rows: [{ id: 'kept' }],
        count: 1,
      });
      expect(await run(tx, 'SELECT id FROM things')).toEqual({ rows: [{ id: 'kept' }], count: 1 });
      expect(await run(tx, `DELETE FROM things WHERE id = 'none'`)).toEqual({ rows: [], count: 0 });
    });
  });

  it('names a duplicate', async () => {
    const twice = database.transaction((tx) => run(tx, `INSERT INTO things VALUES ('kept')`));
    const error: unknown = await twice.catch((e: unknown) => e);
    expect(isDuplicate(error)).toBe(true);
    expect(isDuplicate(error, 'things_pkey')).toBe(true);
    expect(isDuplicate(error, 'other')).toBe(false);
  });

  it('survives that the server drops its connections', async () => {
    const killer = new Client({ connectionString: database.url });
    await killer.connect();
    await killer.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await killer.end();
    await expect(database.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });
});
