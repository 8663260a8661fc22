import { freshDatabase, until } from '@libs/kit';
import { jobsWork } from '@libs/messages';
import { InProcessBus, InProcessHub } from '@libs/messaging';
import { Database, Outbox, OutboxRelay, run } from '../src';

const url = freshDatabase();
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** One process of the service: database, bus and relay of its own. */
async function instance(hub: InProcessHub) {
  const database = await Database.open(url, { service: 'outbox' });
  const bus = new InProcessBus(hub);
  const relay = new OutboxRelay(database, bus);
  closers.push(() => database.close(), () => bus.close(), () => relay.stop()); // prettier-ignore
  return { database, bus, relay, outbox: new Outbox(database, relay) };
}

it('publishes after the commit, nothing of a rollback, each message once by two relays', async () => {
  const hub = new InProcessHub();
  const [a, b] = await Promise.all([instance(hub), instance(hub)]);
  const seen: string[] = [];
  await a.bus.consume(jobsWork, ({ uuid }) => void seen.push(uuid));
  const failed = a.database.transaction(async (tx) => {
    await a.outbox.add(tx, jobsWork, { uuid: 'undone' });
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await a.database.transaction(async (tx) => {
    for (let n = 0; n < 250; n++) await a.outbox.add(tx, jobsWork, { uuid: `n${n}` });
    await a.outbox.add(tx, jobsWork, { uuid: 'last' });
    expect(seen).toEqual([]);
    b.relay.nudge();
  });
  b.relay.nudge();
  await until(() => seen.length >= 251);
  expect(new Set(seen).size).toBe(251);
  expect(seen).toHaveLength(251);
  expect(seen).not.toContain('undone');
  expect(await a.database.query('SELECT * FROM outbox')).toEqual([]);
});

it('holds delayed messages, takes set-based inserts, and finds at its start what another process left', async () => {
  const hub = new InProcessHub();
  const { database, bus, outbox } = await instance(hub);
  const seen: string[] = [];
  await bus.consume(jobsWork, ({ uuid }) => void seen.push(uuid));
  const from = Date.now();
  await database.transaction(async (tx) => {
    await outbox.add(tx, jobsWork, { uuid: 'later' }, { delayMs: 300 });
    await run(
      tx,
      `INSERT INTO outbox (message, payload) SELECT 'jobs.work', jsonb_build_object('uuid', 'set')`,
    );
  });
  await until(() => seen.length === 2);
  expect(seen).toEqual(['set', 'later']);
  expect(Date.now() - from).toBeGreaterThanOrEqual(300);

  await database.query(
    `INSERT INTO outbox (message, payload) VALUES ('jobs.work', '{"uuid":"left"}')`,
  );
  const next = await instance(hub);
  next.relay.start();
  await until(() => seen.length === 3);
});

it('keeps what the bus does not take, and sends it when it does', async () => {
  const hub = new InProcessHub();
  const { database, bus, outbox } = await instance(hub);
  const seen: string[] = [];
  await bus.consume(jobsWork, ({ uuid }) => void seen.push(uuid));
  const publish = jest.spyOn(bus, 'publish').mockRejectedValueOnce(new Error('the broker is away'));
  await database.transaction((tx) => outbox.add(tx, jobsWork, { uuid: 'kept' }));
  await until(() => seen.length === 1);
  expect(publish).toHaveBeenCalledTimes(2);
});
