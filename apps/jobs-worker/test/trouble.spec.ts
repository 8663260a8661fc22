import { NotReady } from '@libs/envelope';
import { until } from '@libs/kit';
import type { Job } from '@libs/jobs-store';
import { execFileSync } from 'node:child_process';
import { World } from './world';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.close());
afterEach(async () => {
  await world.back();
  world.resetSystem();
  world.app = { enabled: true, versionEnabled: true };
  world.holdTransfers = false;
  world.failTransfers = undefined;
  await world.stopWorkers();
});

const counted = (program: string) => `echo run >>counter; ${program}`;
const sleepers = (mark: string) =>
  execFileSync('ps', ['-Ao', 'stat=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes(mark) && !line.startsWith('Z')).length;
const cancel = (job: Job) => world.store.cancel('dev', job.uuid, 'testuser1');
/** Sends the wake-up that the API's outbox would send. */
const told = async (job: Job) => {
  const { jobsCancel } = await import('@libs/messages');
  const { MessageBus } = await import('@libs/messaging');
  for (const w of world.workers) await w.get(MessageBus).publish(jobsCancel, { uuid: job.uuid });
};

describe('cancel', () => {
  it('kills a running app with all its children', async () => {
    await world.work();
    const mark = 'sleep 71.3';
    const job = await world.submit(`${mark} & setsid ${mark} & ${mark}`);
    await world.reaches(job, 'RUNNING');
    await until(() => sleepers(mark) === 3);
    await cancel(job);
    await told(job);
    const done = await world.reaches(job, 'CANCELLED');
    expect(done.condition).toBe('CANCELLED_BY_USER');
    await until(() => sleepers(mark) === 0);
    await until(async () => (await world.job(job.uuid)).nextCheckAt === null);
    expect(world.exists(job, 'output', 'svcjob.sh')).toBe(false);
  });

  it('cancels the transfer it waits for', async () => {
    world.holdTransfers = true;
    await world.work();
    const job = await world.submit('true', { definition: { fileInputs: [INPUT] } });
    await world.reaches(job, 'STAGING_INPUTS');
    const transfer = await until(() => world.transfers.get(`${job.uuid}:input`));
    await until(async () => (await world.job(job.uuid)).inputTransactionId);
    await cancel(job);
    await world.reaches(job, 'CANCELLED');
    await until(() => transfer.status === 'CANCELLED');
  });

  it('ends what runs on a host that was away, once it is back', async () => {
    await world.work();
    const mark = 'sleep 72.4';
    const job = await world.submit(mark);
    await world.reaches(job, 'RUNNING');
    await world.away();
    await world.reaches(job, 'BLOCKED');
    await cancel(job);
    await world.reaches(job, 'CANCELLED');
    expect(sleepers(mark)).toBeGreaterThan(0);
    await world.back();
    await until(() => sleepers(mark) === 0);
  });
});

const INPUT = {
  name: null, description: null, envKey: null, autoMountLocal: true, sourceUrl: 'svc://host/data/x', targetPath: 'x',
  notes: null, optional: false, srcSharedAppCtx: '', destSharedAppCtx: '',
}; // prettier-ignore

it('ends an app that runs longer than it may', async () => {
  await world.work();
  const mark = 'sleep 73.5';
  const job = await world.submit(mark);
  await world.reaches(job, 'RUNNING');
  await world.stopWorkers();
  await world.store.patch(job, { remoteStarted: new Date(Date.now() - 10 * 60_000 + 1500) });
  await world.work();
  const done = await world.reaches(job, 'FAILED');
  expect(done).toMatchObject({
    condition: 'JOB_EXECUTION_MONITORING_TIMEOUT',
    remoteOutcome: 'FAILED_SKIP_ARCHIVE',
    lastMessage: expect.stringContaining('longer than 10 minutes'),
  });
  expect(Date.now() - done.remoteStarted!.getTime()).toBeGreaterThanOrEqual(600_000);
  expect(sleepers(mark)).toBe(0);
});

it('an end after hours is noticed at once', async () => {
  await world.work();
  const job = await world.submit('sleep 2.5; date +%s%3N >output/last', { maxMinutes: 1000 });
  await world.reaches(job, 'RUNNING');
  await world.stopWorkers();
  await world.store.patch(job, { remoteStarted: new Date(Date.now() - 6 * 3_600_000) });
  await world.work();
  await world.reaches(job, 'FINISHED');
  const events = await world.store.history('dev', job.uuid);
  const told = events.find((e) => e.eventDetail === 'ARCHIVING')!.created.getTime();
  expect(told - Number(world.output(job, 'last'))).toBeLessThan(3000);
});

describe('a host that is away', () => {
  it('blocks the job before it begins, and lets it go on afterwards', async () => {
    await world.work();
    await world.away();
    const job = await world.submit(counted('true'));
    const blocked = await world.reaches(job, 'BLOCKED');
    expect(blocked).toMatchObject({
      blockedCause: 'SSH_CONNECTION_FAILURE',
      blockedStatus: 'PROCESSING_INPUTS',
      lastMessage: expect.stringContaining('ECONNREFUSED'),
    });
    await world.back();
    const done = await world.reaches(job, 'FINISHED');
    expect(done.blockedCount).toBe(1);
    expect(world.launches(job)).toBe(1);
  });

  it('blocks a running job, which ends meanwhile', async () => {
    await world.work();
    const job = await world.submit(counted('sleep 1; exit 0'));
    await world.reaches(job, 'RUNNING');
    await world.away();
    const blocked = await world.reaches(job, 'BLOCKED');
    expect(blocked.blockedStatus).toBe('RUNNING');
    await world.back();
    await world.reaches(job, 'FINISHED');
    expect(world.launches(job)).toBe(1);
    expect((await world.history(job)).slice(-5)).toEqual([
      'RUNNING', 'BLOCKED', 'RUNNING', 'ARCHIVING', 'FINISHED',
    ]); // prettier-ignore
  });

  it('blocks a job whose input can’t be transferred, and asks for another transfer afterwards', async () => {
    world.holdTransfers = true;
    await world.work();
    world.dir('data');
    execFileSync('sh', ['-c', 'echo x >"$0/data/x"', world.host.root]);
    const job = await world.submit(counted('cat x'), { definition: { fileInputs: [INPUT] } });
    const transfer = await until(() => world.transfers.get(`${job.uuid}:input`));
    await world.away();
    world.holdTransfers = false;
    world.failTransfers = 'connection lost';
    await world.carryOut(transfer);
    await world.reaches(job, 'BLOCKED');
    world.failTransfers = undefined;
    await world.back();
    const done = await world.reaches(job, 'FINISHED');
    expect(done.inputCorrelationId).toMatch(/:input\.[1-9]$/);
    expect(world.launches(job)).toBe(1);
  });

  it('cut its connections while a job was launched', async () => {
    await world.work();
    const jobs = [];
    for (let i = 0; i < 10; i++) jobs.push(await world.submit(counted('sleep 0.2')));
    for (let i = 0; i < 8; i++) {
      world.host.cut();
      await new Promise((r) => setTimeout(r, 60));
    }
    for (const job of jobs) {
      await world.reaches(job, 'FINISHED', 120_000);
      expect(world.launches(job)).toBe(1);
    }
  });
});

it('a wrong key blocks, says so, and fails the job by policy', async () => {
  const { privateKey } = await (await import('@libs/kit')).sshd().then(async (other) => {
    await other.close();
    return other;
  });
  world.system = { ...world.system, authnCredential: { privateKey } };
  await world.work();
  const job = await world.submit('true');
  const blocked = await world.reaches(job, 'BLOCKED');
  expect(blocked).toMatchObject({
    blockedCause: 'FIRST_SSH_AUTHENTICATION_FAILED',
    lastMessage: expect.stringContaining('the host refused the credential'),
  });
  const done = await world.reaches(job, 'FAILED');
  expect(done).toMatchObject({
    condition: 'JOB_RECOVERY_TIMEOUT',
    lastMessage: expect.stringMatching(/^Gave up after 3 tries: .*refused the credential/),
  });
});

it('a missing credential blocks until it is there', async () => {
  world.system = { ...world.system, authnCredential: null };
  await world.work({ RECOVERY_TIME_SCALE: '0.02' });
  const job = await world.submit(counted('true'));
  const blocked = await world.reaches(job, 'BLOCKED');
  expect(blocked.lastMessage).toContain('No usable credential');
  world.resetSystem();
  await world.reaches(job, 'FINISHED');
});

it('a changed host key is a refusal that names both', async () => {
  world.system = { ...world.system, hostKeys: ['SHA256:somethingElse'] };
  await world.work();
  const job = await world.submit('true');
  const blocked = await world.reaches(job, 'BLOCKED');
  expect(blocked.lastMessage).toContain('HOST_KEY_CHANGED');
  expect(blocked.lastMessage).toContain(world.host.hostKey);
  expect(blocked.lastMessage).toContain('SHA256:somethingElse');
});

it.each([
  [
    'SYSTEM_NOT_AVAILABLE',
    () => (world.system = { ...world.system, enabled: false }),
    () => world.resetSystem(),
  ],
  ['APPLICATION_NOT_AVAILABLE', () => (world.app = { enabled: false }), () => (world.app = {})],
])('%s blocks until it is over', async (cause, begin, end) => {
  begin();
  await world.work();
  const job = await world.submit(counted('true'));
  const blocked = await world.reaches(job, 'BLOCKED');
  expect(blocked.blockedCause).toBe(cause);
  end();
  await world.reaches(job, 'FINISHED', 120_000);
  expect((await world.history(job)).slice(0, 4)).toEqual([
    'PENDING', 'BLOCKED', 'PENDING', 'PROCESSING_INPUTS',
  ]); // prettier-ignore
});

it('a quota is never exceeded', async () => {
  world.system = { ...world.system, jobMaxJobs: 2 };
  // Without help from the clock: whoever ends lets the next one in.
  await world.work({ RECOVERY_TIME_SCALE: '0.2' });
  const program = `mkdir -p ../busy; touch ../busy/$$; ls ../busy | wc -l; sleep 0.3; rm ../busy/$$`;
  const jobs = await Promise.all(Array.from({ length: 7 }, () => world.submit(program)));
  for (const job of jobs) {
    await world.reaches(job, 'FINISHED', 120_000);
    expect(Number(world.output(job))).toBeLessThanOrEqual(2);
  }
});

it('a systems service that is away blocks nothing for good', async () => {
  const down = () => {
    throw new NotReady('SYSTEMS_DOWN', 'away for a moment');
  };
  let away = true;
  world.double.serve('GET', '/v3/systems/:id', ({ params }) =>
    away ? down() : { id: params.id, ...world.system },
  );
  await world.work();
  const job = await world.submit(counted('true'));
  await until(async () => {
    const { status } = await world.job(job.uuid);
    return status === 'BLOCKED' || status === 'FAILED';
  });
  away = false;
  const now = await world.job(job.uuid);
  if (now.status === 'BLOCKED') await world.reaches(job, 'FINISHED', 120_000);
  expect(now.blockedCause ?? now.lastMessage).toBe('SERVICE_CONNECTION_FAILURE');
});

it('a host that allows one session per connection takes longer, and that is all', async () => {
  const sparse = await World.start({}, ['MaxSessions 1']);
  try {
    await sparse.work();
    const jobs = await Promise.all(Array.from({ length: 6 }, () => sparse.submit(counted('true'))));
    for (const job of jobs) {
      await sparse.reaches(job, 'FINISHED', 120_000);
      expect(sparse.launches(job)).toBe(1);
    }
  } finally {
    await sparse.close();
  }
});
