import { runInContext, type RequestContext } from '@libs/auth';
import { reply } from '@libs/envelope';
import { freshDatabase } from '@libs/kit';
import { Database, Idempotency, run } from '../src';

let database: Database;
let idempotency: Idempotency;
beforeAll(async () => {
  database = await Database.open(freshDatabase(), { service: 'idempotency' });
  await database.query('CREATE TABLE made (id int GENERATED ALWAYS AS IDENTITY, name text)');
  idempotency = new Idempotency(database);
});
afterAll(() => database.close());

const asking = <T>(key: string | undefined, bodyHash: string, work: () => T): T => {
  const context = { service: 'test', trackingId: 't', requestId: 'r', traceparent: '' };
  const idempotency = key ? { key, scope: 'dev/user POST /things', bodyHash } : undefined;
  return runInContext({ ...context, idempotency } as RequestContext, work);
};
const make = (name: string) =>
  database.transaction(async (tx) => {
    await run(tx, 'INSERT INTO made (name) VALUES ($1)', [name]);
    return idempotency.answer(tx, reply('MADE', name, { name }, { status: 201, etag: 'e' }));
  });
const count = async (name: string) =>
  (await database.query('SELECT 1 FROM made WHERE name = $1', [name])).length;

it('answers again what it answered, and refuses the key with another body', async () => {
  await asking('k1', 'h1', () => make('one'));
  const again = await asking('k1', 'h1', () => idempotency.replay());
  expect(again).toMatchObject({ code: 'MADE', result: { name: 'one' }, status: 201, etag: 'e' });
  await expect(asking('k1', 'h2', () => idempotency.replay())).rejects.toMatchObject({
    status: 409,
  });
  await expect(asking('k2', 'h1', () => idempotency.replay())).resolves.toBeUndefined();
});

it('makes one thing of twenty equal requests at once', async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, () => asking('same', 'h', () => make('once'))),
  );
  expect(all.filter((a) => a.status === 'fulfilled')).toHaveLength(1);
  expect(await count('once')).toBe(1);
});

it('does nothing without a key', async () => {
  await asking(undefined, '', () => make('free'));
  await make('free');
  expect(await count('free')).toBe(2);
});
