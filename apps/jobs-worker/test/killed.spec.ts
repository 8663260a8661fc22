import type { Job } from '@libs/jobs-store';
import { JOB_STATES } from '@libs/jobs-model';
import { buildServices, ServiceProcess } from '@libs/kit';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { World } from './world';

let world: World;
const running = new Set<ServiceProcess>();

beforeAll(async () => {
  buildServices();
  world = await World.start();
  writeFileSync(join(world.dir('data'), 'in.txt'), 'the input\n');
});
afterAll(() => world?.close());
afterEach(async () => {
  for (const worker of running) await worker.kill();
  running.clear();
});

function worker(more: Record<string, string> = {}): ServiceProcess {
  const made = new ServiceProcess('jobs-worker', world.env({ LOG_LEVEL: 'info', ...more }));
  running.add(made);
  return made;
}

const PROGRAM = `echo run >>counter; cat in.txt; sleep 0.4; echo result of $_svcJobUUID >output/result`;
const INPUT = {
  name: null, description: null, envKey: null, autoMountLocal: true, sourceUrl: 'svc://host/data/in.txt',
  targetPath: 'in.txt', notes: null, optional: false, srcSharedAppCtx: '', destSharedAppCtx: '',
}; // prettier-ignore

const submit = (i = 0) =>
  world.submit(PROGRAM, {
    archiveSystemId: 'store',
    archiveSystemDir: `/archive/${i}`,
    definition: { fileInputs: [INPUT] },
  });

async function isRight(job: Job): Promise<void> {
  expect(world.launches(job)).toBe(1);
  const archived = (name: string) =>
    readFileSync(join(world.host.root, 'systems', 'store', job.archiveSystemDir, name), 'utf8');
  expect(archived('result')).toBe(`result of ${job.uuid}\n`);
  expect(archived('svcjob.out')).toBe('the input\n');
  const history = await world.history(job);
  expect(history.at(-1)).toBe('FINISHED');
  expect(history.filter((status) => status === 'RUNNING')).toHaveLength(1);
}

/** Each process ends one status later than the one before: one job sees them all die. */
it.each([
  ['in every status', ''],
  ['in every status between its work and the saving of it', ':before-save'],
])('a job outlives workers killed %s', async (_what, when) => {
  const job = await submit();
  for (const status of JOB_STATES.active) {
    const dying = worker({ CRASH_AT: `${status}${when}` });
    expect(await dying.gone()).toBe('SIGKILL');
    running.delete(dying);
  }
  worker();
  await world.reaches(job, 'FINISHED', 120_000);
  await isRight(job);
});

it('no job is lost or launched twice when workers are killed again and again', async () => {
  const jobs: Job[] = [];
  for (let i = 0; i < 200; i++) jobs.push(await submit(i));
  for (const ms of [1500, 2000, 2500]) {
    const dying = await worker().ready();
    await delay(ms);
    await dying.kill();
  }
  worker();
  for (const job of jobs) {
    await world.reaches(job, 'FINISHED', 120_000);
    await isRight(job);
  }
});

it('a worker that was paused comes back to jobs that others have finished', async () => {
  const paused = await worker().ready();
  const jobs: Job[] = [];
  for (let i = 0; i < 30; i++) jobs.push(await submit(i));
  await delay(1200);
  paused.signal('SIGSTOP');
  worker();
  for (const job of jobs) await world.reaches(job, 'FINISHED', 120_000);
  paused.signal('SIGCONT');
  await delay(1500);
  for (const job of jobs) await isRight(job);
});
