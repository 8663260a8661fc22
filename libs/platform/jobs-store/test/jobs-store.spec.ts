import { Database } from '@libs/database';
import { freshDatabase } from '@libs/kit';
import { type Job, JOBS_DATABASE, JobsStore, type NewJob } from '../src';
import { someJob } from './some-job';

let db: Database;
let store: JobsStore;
const submit = (given: Partial<NewJob> = {}) =>
  db.transaction((tx) => store.insert(tx, someJob(given)));
const historyOf = async (job: Job) =>
  (await store.history(job.tenant, job.uuid)).map((e) => `${e.event}:${e.eventDetail}`);
const messagesOf = async (job: Job) =>
  db.query<{ message: string }>(
    `select message, payload from outbox where payload->>'uuid' = $1 order by id`,
    [job.uuid],
  );
const due = new Date(Date.now() - 1000);
const later = new Date(Date.now() + 60_000);

beforeAll(async () => {
  db = await Database.open(freshDatabase(), JOBS_DATABASE);
  store = new JobsStore(db);
});
afterAll(() => db?.close());

it('has the tables that the row classes say', async () => {
  const { upQueries } = await db.dataSource.driver.createSchemaBuilder().log();
  const ours = upQueries.map((q) => q.query).filter((q) => /job/.test(q));
  expect(ours).toEqual([]);
});

describe('a submitted job', () => {
  it('is stored with its history, its request and the message that somebody works on it', async () => {
    const job = await submit({ tags: ['a'], notes: { b: 1 } });
    expect(job).toMatchObject({ status: 'PENDING', tags: ['a'], notes: { b: 1 }, blockedCount: 0 });
    expect(typeof job.id).toBe('number');
    expect(job.created).toBeInstanceOf(Date);
    expect(await store.find('dev', job.uuid)).toEqual(job);
    expect(await store.find('other', job.uuid)).toBeUndefined();
    expect(await store.request('dev', job.uuid)).toBe('{"name": "a job"}');
    expect(await store.request('other', job.uuid)).toBeUndefined();
    expect(await store.history('other', job.uuid)).toEqual([]);
    expect(await historyOf(job)).toEqual(['JOB_NEW_STATUS:PENDING']);
    expect((await messagesOf(job)).map((m) => m.message)).toEqual(['jobs.work', 'jobs.event']);
  });

  it('leaves nothing when its transaction is rolled back', async () => {
    const job = someJob();
    const failed = db.transaction(async (tx) => {
      await store.insert(tx, job);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await store.find('dev', job.uuid)).toBeUndefined();
  });
});

describe('a move', () => {
  it('applies what follows from it, all the way', async () => {
    let job: Job = await submit();
    job = (await store.move(job, 'PROCESSING_INPUTS'))!;
    job = (await store.move(job, 'SUBMITTING_JOB', { via: ['STAGING_INPUTS', 'STAGING_JOB'] }))!;
    expect(job).toMatchObject({ status: 'SUBMITTING_JOB', remoteSubmitted: null });
    job = (await store.move(job, 'QUEUED', { patch: { remoteJobId: '17', launch: { pid: 17 } } }))!;
    expect(job).toMatchObject({ remoteJobId: '17', launch: { pid: 17 }, remoteStarted: null });
    expect(job.remoteSubmitted).toBeInstanceOf(Date);
    job = (await store.move(job, 'RUNNING'))!;
    expect(job.remoteStarted).toBeInstanceOf(Date);
    job = (await store.move(job, 'ARCHIVING', { message: 'exit code 0' }))!;
    job = (await store.move(job, 'FINISHED'))!;
    expect(job).toMatchObject({
      condition: 'NORMAL_COMPLETION',
      nextCheckAt: null,
      claimedBy: null,
    });
    expect(job.ended).toBeInstanceOf(Date);
    expect(job).toEqual(await store.find('dev', job.uuid));
    expect((await historyOf(job)).map((e) => e.split(':')[1])).toEqual([
      'PENDING', 'PROCESSING_INPUTS', 'STAGING_INPUTS', 'STAGING_JOB', 'SUBMITTING_JOB', 'QUEUED', 'RUNNING',
      'ARCHIVING', 'FINISHED',
    ]); // prettier-ignore
    const last = (await store.history('dev', job.uuid)).at(-2)!;
    expect(last.data).toEqual({
      message: 'exit code 0',
      oldJobStatus: 'RUNNING',
      newJobStatus: 'ARCHIVING',
    });
  });

  it('is lost by all but one who saw the same status', async () => {
    const job = await submit();
    const moved = await Promise.all(
      Array.from({ length: 5 }, () => store.move(job, 'PROCESSING_INPUTS')),
    );
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect(await historyOf(job)).toHaveLength(2);
  });

  it('needs the hands that hold the job', async () => {
    const job = (await store.claim((await submit()).uuid, 'w1', 60_000))!;
    expect(await store.move(job, 'PROCESSING_INPUTS', { worker: 'w2' })).toBeUndefined();
    expect(await store.move(job, 'PROCESSING_INPUTS', { worker: 'w1' })).toBeDefined();
  });

  it('is refused when the table forbids it or something is missing', async () => {
    const job = await submit();
    await expect(store.move(job, 'RUNNING')).rejects.toThrow("can't move from PENDING to RUNNING");
    await expect(store.move(job, 'BLOCKED')).rejects.toThrow('cause');
    await expect(store.move(job, 'FAILED')).rejects.toThrow('condition');
    const patch = { status: 'FINISHED' } as object;
    await expect(store.move(job, 'PROCESSING_INPUTS', { patch })).rejects.toThrow('status');
  });

  it('tells a failure first', async () => {
    const job = await submit();
    const failed = await store.move(job, 'FAILED', {
      condition: 'JOB_INTERNAL_ERROR',
      message: 'Broke',
    });
    expect(failed).toMatchObject({ condition: 'JOB_INTERNAL_ERROR', lastMessage: 'Broke' });
    expect((await historyOf(job)).slice(1)).toEqual([
      'JOB_ERROR_MESSAGE:FINAL_MESSAGE',
      'JOB_NEW_STATUS:FAILED',
    ]);
  });

  it('blocks and goes back', async () => {
    const job = (await store.claim((await submit()).uuid, 'w1', 60_000))!;
    const cause = { cause: 'SSH_CONNECTION_FAILURE', key: 'h:22:u', nextCheckAt: later } as const;
    const blocked = (await store.move(job, 'BLOCKED', { blocked: cause }))!;
    expect(blocked).toMatchObject({
      blockedStatus: 'PENDING', blockedCause: cause.cause, blockedCount: 1, claimedBy: null, nextCheckAt: later,
    }); // prettier-ignore
    expect(await store.wakeBlocked('dev', cause.cause, 'other', 10)).toBe(0);
    expect(await store.wakeBlocked('dev', cause.cause, cause.key, 10)).toBe(1);
    const [claimed] = (await store.claimDue('w2', 60_000, 100)).filter((j) => j.uuid === job.uuid);
    const back = (await store.move(claimed!, 'PENDING', { worker: 'w2' }))!;
    expect(back).toMatchObject({
      blockedStatus: null,
      blockedSince: null,
      blockedCount: 1,
      claimedBy: 'w2',
    });
  });
});

describe('a claim', () => {
  it('is one worker’s until its lease is over', async () => {
    const { uuid } = await submit();
    const claims = await Promise.all(['a', 'b', 'c'].map((w) => store.claim(uuid, w, 60_000)));
    const [mine] = claims.filter(Boolean);
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(mine!.definition.app.runtime).toBe('ZIP');
    expect(await store.claim(uuid, mine!.claimedBy!, 60_000)).toBeDefined();
    expect(await store.extend('nobody', [uuid], 60_000)).toEqual([]);
    expect(await store.extend(mine!.claimedBy!, [uuid], -1)).toEqual([
      { uuid, cancelRequested: null },
    ]);
    const taken = await store.claimDue('d', 60_000, 100);
    expect(taken.map((j) => j.uuid)).toContain(uuid);
    expect(await store.release(mine!, mine!.claimedBy!, null)).toBe(false);
    expect(await store.release(mine!, 'd', due)).toBe(true);
    expect((await store.nextDueAt())!.getTime()).toBeLessThanOrEqual(due.getTime());
    expect((await store.claimDue('e', 60_000, 100)).map((j) => j.uuid)).toContain(uuid);
    await store.releaseAll('e');
    expect(await store.claim(uuid, 'f', 60_000)).toBeDefined();
  });

  it('shares due jobs out, each once', async () => {
    const jobs = await Promise.all(Array.from({ length: 20 }, () => submit()));
    await Promise.all(jobs.map((j) => store.patch(j, { nextCheckAt: due })));
    const taken = await Promise.all(['p', 'q', 'r'].map((w) => store.claimDue(w, 60_000, 10)));
    const uuids = taken.flat().map((j) => j.uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(uuids).toEqual(expect.arrayContaining(jobs.map((j) => j.uuid)));
  });

  it('is not possible once nothing is left to do', async () => {
    const job = await submit();
    await store.move(job, 'CANCELLED');
    expect(await store.claim(job.uuid, 'w', 1000)).toBeUndefined();
  });
});

describe('a cancel', () => {
  it('ends at once what nobody works on', async () => {
    const job = await submit();
    const cancelled = await store.cancel('dev', job.uuid, 'someone');
    expect(cancelled).toMatchObject({
      status: 'CANCELLED',
      condition: 'CANCELLED_BY_USER',
      nextCheckAt: null,
    });
    expect(await store.cancel('dev', job.uuid, 'someone')).toMatchObject({ status: 'CANCELLED' });
    expect(await store.cancel('other', job.uuid, 'someone')).toBeUndefined();
  });

  it('leaves a blocked job due that may run on its host', async () => {
    let job: Job = await submit();
    job = (await store.move(job, 'PROCESSING_INPUTS'))!;
    job = (await store.move(job, 'BLOCKED', {
      blocked: { cause: 'SSH_CONNECTION_TIMEOUT', nextCheckAt: later },
    }))!;
    const cancelled = (await store.cancel('dev', job.uuid, 'someone'))!;
    expect(cancelled).toMatchObject({ status: 'CANCELLED', blockedStatus: 'PROCESSING_INPUTS' });
    const claimed = (await store.claim(job.uuid, 'w', 60_000))!;
    expect(claimed.status).toBe('CANCELLED');
    expect(await store.release(claimed, 'w', null)).toBe(true);
  });

  it('is a wish on the row of any other, told to its worker', async () => {
    const claimed = (await store.claim((await submit()).uuid, 'w', 60_000))!;
    const running = (await store.move(claimed, 'PROCESSING_INPUTS', { worker: 'w' }))!;
    const job = (await store.cancel('dev', running.uuid, 'someone'))!;
    expect(job.status).toBe('PROCESSING_INPUTS');
    expect(job.cancelRequested).toBeInstanceOf(Date);
    expect(await store.extend('w', [job.uuid], 60_000)).toEqual([
      { uuid: job.uuid, cancelRequested: job.cancelRequested },
    ]);
    expect((await messagesOf(running)).map((m) => m.message)).toContain('jobs.cancel');
  });
});

describe('quotas', () => {
  it('are never exceeded, however many ask at once', async () => {
    const jobs = await Promise.all(
      Array.from({ length: 8 }, () => submit({ execSystemId: 'small', owner: 'greedy' })),
    );
    const answers = await Promise.all(jobs.map((j) => store.admit(j, { system: 3, app: -1 })));
    expect(answers.filter((a) => a && 'job' in a)).toHaveLength(3);
    expect(answers.filter((a) => a && 'full' in a)).toHaveLength(5);
  });

  it.each([
    [{ systemPerUser: 1 }, { owner: 'first' }, { owner: 'first' }, { owner: 'second' }],
    [{ app: 1 }, { appId: 'x' }, { appId: 'x' }, { appId: 'y' }],
    [
      { queue: 1 },
      { execSystemLogicalQueue: 'q' },
      { execSystemLogicalQueue: 'q' },
      { execSystemLogicalQueue: 'p' },
    ],
  ])('%j counts its own jobs', async (quotas, one, full, free) => {
    const on = { execSystemId: `host of ${JSON.stringify(quotas)}` };
    expect(await store.admit(await submit({ ...on, ...one }), quotas)).toHaveProperty('job');
    expect(await store.admit(await submit({ ...on, ...full }), quotas)).toHaveProperty('full');
    expect(await store.admit(await submit({ ...on, ...free }), quotas)).toHaveProperty('job');
  });
});

describe('a list', () => {
  it('has what was asked for, in order', async () => {
    const owner = 'lister';
    for (const name of ['b', 'a', 'c']) await submit({ owner, name });
    const listing = { where: 'j.tenant = $1 and j.owner = $2', params: ['dev', owner] };
    expect(await store.count(listing)).toBe(3);
    expect(
      await store.list({
        attributes: ['id', 'name'],
        where: `${listing.where} and j.name > $3`,
        tail: 'order by j.name limit 2',
        params: [...listing.params, 'a'],
      }),
    ).toEqual([
      { id: expect.any(Number), name: 'b' },
      { id: expect.any(Number), name: 'c' },
    ]);
    const [whole] = await store.list({ ...listing, attributes: ['definition'], tail: '' });
    expect(whole).toHaveProperty('definition.app.runtime', 'ZIP');
  });
});

it('is changed by what it is, one change after the other', async () => {
  const { uuid } = await submit({ tags: ['a'] });
  const add = (tag: string) => store.change('dev', uuid, ({ tags }) => ({ tags: [...tags, tag] }));
  await Promise.all(['b', 'c', 'd'].map(add));
  expect((await store.find('dev', uuid))!.tags.sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(await store.change('other', uuid, () => ({}))).toBeUndefined();
});

it('adds entries to the history', async () => {
  const job = await submit();
  const id = await store.addEvent(job, {
    event: 'JOB_USER_EVENT',
    detail: 'X',
    data: { message: 'hello' },
  });
  expect(await store.history('dev', job.uuid, { after: id! - 1 })).toMatchObject([
    { id, event: 'JOB_USER_EVENT', eventDetail: 'X', data: { message: 'hello' } },
  ]);
  expect(await store.history('dev', job.uuid, { limit: 1, skip: 1 })).toMatchObject([{ id }]);
});
