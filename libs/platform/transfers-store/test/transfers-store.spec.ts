import { randomUUID } from 'node:crypto';
import { Database, Outbox } from '@libs/database';
import { freshDatabase } from '@libs/kit';
import {
  type NewTransfer,
  type ParentRow,
  TRANSFERS_DATABASE,
  TransfersStore,
  TransfersWork,
} from '../src';

let db: Database;
let store: TransfersStore;
let outbox: Outbox;
const worker = (name: string = randomUUID(), leaseMs = 60_000) =>
  new TransfersWork(db, outbox, name, leaseMs);
const element = {
  sourceUri: 'svc://a/x',
  destinationUri: 'svc://b/y',
  optional: false,
  transferType: 'TRANSFER' as const,
  srcSharedCtx: null,
  destSharedCtx: null,
};
const make = (elements: Partial<NewTransfer['elements'][0]>[] = [{}], username = 'u') =>
  db.transaction((tx) =>
    store.create(tx, {
      uuid: randomUUID(),
      tenant: 'dev',
      username,
      tag: 'job',
      elements: elements.map((e) => ({ ...element, ...e, uuid: randomUUID() })),
    }),
  );
const endings = (uuid: string) =>
  db.query<{ payload: object }>(
    `select payload from outbox where message = 'transfers.ended' and payload->>'uuid' = $1`,
    [uuid],
  );
const file = (path: string, totalBytes = 10) => ({
  path,
  totalBytes,
  dir: false,
  executable: false,
  sourceModified: null,
});
async function staged(w: TransfersWork, parent: ParentRow, n = 2) {
  await w.move(parent, 'STAGING');
  await w.stage(
    parent,
    'y',
    Array.from({ length: n }, (_, i) => file(`f${i}`)),
  );
  await w.move(parent, 'IN_PROGRESS');
  return w.openChildren(parent);
}

beforeAll(async () => {
  db = await Database.open(freshDatabase(), TRANSFERS_DATABASE);
  outbox = new Outbox(db, { nudge: () => undefined } as never);
  store = new TransfersStore(db, outbox);
});
afterAll(() => db?.close());
afterEach(() => db.query('delete from transfer_tasks'));

it('keeps a transfer with its elements and the message to the workers', async () => {
  const made = await make([{ sourceUri: 'svc://a/1' }, { sourceUri: 'svc://a/2', optional: true }]);
  expect(made).toMatchObject({
    status: 'ACCEPTED',
    tag: 'job',
    totalTransfers: 0,
    startTime: null,
  });
  expect(await store.find('dev', made.uuid)).toEqual(made);
  expect(await store.find('other', made.uuid)).toBeUndefined();
  const parents = await store.parents(made.id);
  expect(parents.map((p) => p.sourceUri)).toEqual(['svc://a/1', 'svc://a/2']);
  expect(parents[1]).toMatchObject({
    optional: true,
    status: 'ACCEPTED',
    totalBytes: 0,
    taskId: made.id,
  });
  const work = await db.query(
    `select 1 from outbox where message = 'transfers.work' and payload->>'uuid' = $1`,
    [made.uuid],
  );
  expect(work).toHaveLength(1);
});

it('goes through its states to COMPLETED and says so once', async () => {
  const made = await make([{}, {}]);
  const w = worker();
  const [first, second] = await w.claim(10);
  expect(await store.find('dev', made.uuid)).toMatchObject({ status: 'IN_PROGRESS' });
  expect(await w.claim(10)).toEqual([]);
  const children = await staged(w, first!);
  expect(
    await w.begin(
      first!,
      children.map((c) => c.id),
    ),
  ).toBe(true);
  await w.progress(first!, children[0]!, 4);
  expect(await store.find('dev', made.uuid)).toMatchObject({
    estimatedTotalBytes: 20,
    totalBytesTransferred: 4,
    totalTransfers: 2,
    completeTransfers: 0,
  });
  await w.complete(
    first!,
    children.map(({ id }) => ({ id, bytes: 10 })),
  );
  await w.complete(
    first!,
    children.map(({ id }) => ({ id, bytes: 10 })),
  );
  expect(await store.find('dev', made.uuid)).toMatchObject({
    totalBytesTransferred: 20,
    completeTransfers: 2,
    status: 'IN_PROGRESS',
  });
  expect(await w.openChildren(first!)).toEqual([]);
  expect(await w.end(first!, 'COMPLETED', null)).toBe(true);
  expect(await w.end(first!, 'COMPLETED', null)).toBe(false);
  expect(await endings(made.uuid)).toEqual([]);
  await w.move(second!, 'STAGING');
  expect(await w.end(second!, 'COMPLETED', null)).toBe(true);
  const done = await store.find('dev', made.uuid);
  expect(done).toMatchObject({ status: 'COMPLETED', errorMessage: null });
  expect(done!.endTime).toBeInstanceOf(Date);
  expect(await endings(made.uuid)).toEqual([
    { payload: { uuid: made.uuid, tenant: 'dev', status: 'COMPLETED', tag: 'job' } },
  ]);
});

it('two elements that end at once end the transfer once', async () => {
  for (let i = 0; i < 5; i++) {
    const made = await make([{}, {}, {}]);
    const w = worker();
    const parents = await w.claim(10);
    await Promise.all(parents.map((p) => w.end(p, 'COMPLETED', null)));
    expect((await store.find('dev', made.uuid))!.status).toBe('COMPLETED');
    expect(await endings(made.uuid)).toHaveLength(1);
  }
});

it('fails with an element that had to arrive, and not with an optional one', async () => {
  const made = await make([{}, {}]);
  const w = worker();
  const [first, second] = await w.claim(10);
  await staged(w, first!);
  await w.end(first!, 'FAILED', 'it is gone');
  expect(await store.find('dev', made.uuid)).toMatchObject({
    status: 'FAILED',
    errorMessage: 'it is gone',
  });
  expect((await store.parents(made.id)).map((p) => p.status)).toEqual(['FAILED', 'CANCELLED']);
  expect((await store.children(made.id)).map((c) => c.status)).toEqual(['CANCELLED', 'CANCELLED']);
  expect(await w.end(second!, 'COMPLETED', null)).toBe(false);
  expect(await endings(made.uuid)).toHaveLength(1);

  const optional = await make([{ optional: true }]);
  const [only] = await w.claim(10);
  await w.end(only!, 'FAILED', 'it is gone');
  expect(await store.find('dev', optional.uuid)).toMatchObject({
    status: 'COMPLETED',
    errorMessage: null,
  });
  expect((await store.parents(optional.id))[0]).toMatchObject({
    status: 'FAILED_OPT',
    errorMessage: 'it is gone',
  });
});

it('a worker that lost its lease changes nothing', async () => {
  await make();
  const slow = worker('slow', 1);
  const [held] = await slow.claim(1);
  const children = await staged(slow, held!);
  await new Promise((r) => setTimeout(r, 10));
  const quick = worker('quick');
  const [taken] = await quick.claim(1);
  expect(taken!.id).toBe(held!.id);
  expect(await slow.renew([held!.id])).toEqual(new Set());
  expect(await slow.stage(held!, 'y', [])).toBeUndefined();
  expect(await slow.complete(held!, [{ id: children[0]!.id, bytes: 10 }])).toBe(false);
  expect(await slow.progress(held!, children[0]!, 5)).toBe(false);
  expect(await slow.release(held!, new Date(), 'x', 1)).toBe(false);
  expect(await slow.end(held!, 'FAILED', 'x')).toBe(false);
  expect(await quick.renew([held!.id])).toEqual(new Set([held!.id]));
  expect(await quick.openChildren(taken!)).toHaveLength(2);
});

it('gives back for later, and all at an orderly end', async () => {
  await make();
  const w = worker();
  const [parent] = await w.claim(1);
  const at = new Date(Date.now() + 60_000);
  expect(await w.release(parent!, at, 'host away', 1)).toBe(true);
  expect(await w.claim(1)).toEqual([]);
  expect(await w.nextDue()).toEqual(at);
  await db.query('update transfer_tasks_parent set next_attempt = now()');
  const [again] = await w.claim(1);
  expect(again).toMatchObject({ retries: 1, errorMessage: 'host away' });
  await w.releaseAll();
  expect(await worker().claim(1)).toHaveLength(1);
});

it('frees at once what a dead worker holds', async () => {
  await make([{}, {}]);
  await worker('dead').claim(1);
  const [alive] = await worker('alive').claim(1);
  const next = worker('next');
  await next.releaseDead((name) => name === 'dead');
  const taken = await next.claim(5);
  expect(taken).toHaveLength(1);
  expect(taken[0]!.id).not.toBe(alive!.id);
});

it('lets users take turns', async () => {
  await make([{}, {}, {}], 'busy');
  await make([{}], 'patient');
  const users = (await worker().claim(2)).map((p) => p.username);
  expect(users.sort()).toEqual(['busy', 'patient']);
});

it('cancels what is open and leaves what is over', async () => {
  const made = await make([{}, {}]);
  const w = worker();
  const [first] = await w.claim(10);
  const children = await staged(w, first!);
  await w.complete(first!, [{ id: children[0]!.id, bytes: 10 }]);
  expect(await store.cancel('other', made.uuid, 'x')).toBeUndefined();
  expect(await store.cancel('dev', made.uuid, 'u')).toMatchObject({ status: 'CANCELLED' });
  expect((await store.children(made.id)).map((c) => c.status)).toEqual(['COMPLETED', 'CANCELLED']);
  expect(await w.renew([first!.id])).toEqual(new Set());
  expect(await w.complete(first!, [{ id: children[1]!.id, bytes: 10 }])).toBe(false);
  expect(await store.cancel('dev', made.uuid, 'u')).toMatchObject({ status: 'CANCELLED' });
  expect(await endings(made.uuid)).toHaveLength(1);
});

it('stages again without doubling, and sets back children', async () => {
  const task = await make();
  const w = worker();
  const [parent] = await w.claim(1);
  await w.move(parent!, 'STAGING');
  const dir = { ...file('d', 0), dir: true };
  const made = await w.stage(parent!, 'y', [file('a'), dir]);
  expect(made!.map((c) => c.path)).toEqual(['d', 'a']);
  expect(await w.openChildren(parent!)).toEqual(
    made!.map((c) => ({ ...c, created: expect.any(Date) })),
  );
  expect(await w.stage(parent!, 'y', [file('c')])).toBeUndefined();
  expect(await w.move(parent!, 'COMPLETED')).toBe(false);
  expect(await store.children(task.id)).toHaveLength(2);
  const [child] = await w.openChildren(parent!);
  await w.begin(parent!, [child!.id]);
  const later = new Date(Date.now() + 1000);
  await w.setBack(child!, 'lost', later);
  expect((await w.openChildren(parent!))[0]).toMatchObject({
    status: 'ACCEPTED',
    retries: 1,
    nextRetry: later,
    errorMessage: 'lost',
  });
  await w.setBack(child!, 'lost for good', null);
  expect((await store.children(task.id))[0]).toMatchObject({
    status: 'FAILED',
    errorMessage: 'lost for good',
  });
});
