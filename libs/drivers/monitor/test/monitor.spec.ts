import { HostPool } from '@libs/hosts';
import type { LaunchPlan } from '@libs/job-runtimes';
import { type Sshd, sshd, until } from '@libs/kit';
import { launcherOf, RUN_INPUT } from '@libs/schedulers';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Monitor, type MonitorOptions, type News, type WatchedJob } from '../src';

const fork = launcherOf('FORK', 'ZIP')!;
let home: string;
let server: Sshd;
let pool: HostPool;
let monitor: Monitor;
let heard: { uuid: string; news: News }[];
const monitors: Monitor[] = [];
const quick = { firstAskMs: 60_000, lastAskMs: 60_000, retryMs: [0, 50, 100] };

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'monitor-'));
  server = await sshd({ config: [`SetEnv HOME=${home} SHLVL=2`] });
});
afterAll(async () => {
  await server?.close();
  rmSync(home, { recursive: true, force: true });
});
beforeEach(() => {
  heard = [];
  pool = new HostPool();
  monitor = watcher();
});
afterEach(async () => {
  for (const each of monitors.splice(0)) each.close();
  await until(() => channels().length === 0);
  await pool.close();
});

function watcher(options: Partial<MonitorOptions> = {}, into = heard) {
  const listener = `t-${randomUUID()}`;
  const made = new Monitor(pool, { ...quick, listener, ...options }, (uuid, news) =>
    into.push({ uuid, news }),
  );
  monitors.push(made);
  return made;
}
const channels = () => {
  try {
    return readdirSync(join(home, '.svc')).filter((f) => f.endsWith('.fifo'));
  } catch {
    return [];
  }
};
const newsOf = (job: { uuid: string }, kind: News['kind'] = 'ended', deadline = 5_000) =>
  until(() => heard.find((h) => h.uuid === job.uuid && h.news.kind === kind), deadline, 2);

function planOf(app: string): LaunchPlan & WatchedJob {
  const uuid = `${randomUUID()}-007`;
  const execDir = mkdtempSync(join(home, 'job-'));
  mkdirSync(join(execDir, 'output'));
  writeFileSync(join(execDir, 'svcjob_app.sh'), `#!/bin/sh\n${app}\n`);
  const image = join(execDir, 'app.tar');
  execFileSync('tar', ['-C', execDir, '-cf', image, 'svcjob_app.sh']);
  const dirs = { execDir, inputDir: execDir, outputDir: join(execDir, 'output') };
  const files = { stdoutFile: 'out', stderrFile: 'out' };
  const lists = { appArgs: [], containerArgs: [], mounts: [] };
  const env = [{ key: '_svcJobUUID', value: uuid }];
  return { uuid, ...dirs, ...files, ...lists, env, image, prefix: '', watching: fork };
}
async function run(text: string) {
  return (await pool.host(server.login()).exec(RUN_INPUT, { input: `${text}\n`, raw: true }))
    .stdout;
}
async function start(app: string) {
  const plan = planOf(app);
  expect(fork.stageProblem(await run(fork.stage(plan)))).toBeUndefined();
  expect(fork.readLaunch(await run(fork.launch(plan))).kind).toBe('launched');
  return plan;
}

it('hears an end at once', async () => {
  const since = await monitor.ready(server.login());
  for (let i = 0; i < 7; i++) {
    const job = await start('sleep 0.2; exit 3');
    monitor.watch(server.login(), job, { since });
    expect((await newsOf(job)).news).toMatchObject({ kind: 'ended', code: 3 });
  }
  expect(monitor.stats()).toEqual({ hosts: 1, jobs: 0, questions: 0 });
});

it('hears an end that came before anybody watched, without a question', async () => {
  const since = await monitor.ready(server.login());
  const job = await start('exit 4');
  await until(() => overOnHost(job));
  monitor.watch(server.login(), job, { since });
  expect((await newsOf(job)).news).toMatchObject({ code: 4 });
  expect(monitor.stats().questions).toBe(0);
});
const overOnHost = async (job: LaunchPlan) =>
  (await run(`cat ${job.execDir}/.svcjob-${job.uuid}/end`)).includes('4');

it('asks once when it comes too late to have heard', async () => {
  const jobs = [await start('exit 5'), await start('sleep 30'), await start('exit 6')];
  for (const job of jobs) monitor.watch(server.login(), job);
  expect((await newsOf(jobs[0]!)).news).toMatchObject({ code: 5 });
  expect((await newsOf(jobs[2]!)).news).toMatchObject({ code: 6 });
  expect(monitor.stats()).toEqual({ hosts: 1, jobs: 1, questions: 1 });
  await run(fork.kill(jobs[1]!));
});

it('tells several listeners', async () => {
  const others: typeof heard = [];
  const other = watcher({}, others);
  const [a, b] = [await monitor.ready(server.login()), await other.ready(server.login())];
  const job = await start('sleep 0.1');
  monitor.watch(server.login(), job, { since: a });
  other.watch(server.login(), job, { since: b });
  await newsOf(job);
  await until(() => others.length === 1);
});

it('costs as many questions for 500 jobs as for one', async () => {
  const job = await start('sleep 30');
  // One process, known under many names.
  const copies = `for n in $(seq 500); do cp -r .svcjob-${job.uuid} .svcjob-${job.uuid}-$n; done`;
  await run(`cd ${job.execDir} && ${copies}`);
  for (let n = 1; n <= 500; n++)
    monitor.watch(server.login(), { ...job, uuid: `${job.uuid}-${n}` });
  await until(() => monitor.stats().questions === 1);
  await run(`cd ${job.execDir} && echo 9 >.svcjob-${job.uuid}-250/end`);
  monitor.watch(server.login(), { ...job, uuid: `${job.uuid}-500` });
  await newsOf({ uuid: `${job.uuid}-250` });
  expect(heard).toHaveLength(1);
  expect(monitor.stats()).toMatchObject({ hosts: 1, jobs: 499 });
  expect(monitor.stats().questions).toBeLessThanOrEqual(2);
  await run(fork.kill(job));
});

it('finds by a question what no signal told', async () => {
  monitor = watcher({ firstAskMs: 100, lastAskMs: 100 });
  const since = await monitor.ready(server.login());
  const job = await start('sleep 30');
  monitor.watch(server.login(), job, { since });
  await run(`kill -9 $(cat ${job.execDir}/svcjob.pid)`);
  expect((await newsOf(job, 'vanished')).news).toEqual({ kind: 'vanished' });
  await run(fork.kill(job));
});

it('comes back to a host that cut its connections, and asks what it missed', async () => {
  await monitor.ready(server.login());
  const job = await start('sleep 0.5');
  monitor.watch(server.login(), job);
  server.cut();
  expect((await newsOf(job)).news).toMatchObject({ kind: 'ended', code: 0 });
});

it('misses no end while it begins to listen to something more', async () => {
  const since = await monitor.ready(server.login());
  const job = await start('sleep 0.3; exit 8');
  monitor.watch(server.login(), job, { since });
  for (const more of ['sleep 100', 'sleep 101', 'sleep 102', 'sleep 103'])
    await monitor.ready(server.login(), more);
  expect((await newsOf(job)).news).toMatchObject({ code: 8 });
});

it('says when a host stays away, and finds the end when it is back', async () => {
  const job = await start('sleep 0.3');
  const since = await monitor.ready(server.login());
  monitor.watch(server.login(), job, { since });
  await server.stop();
  const { news } = await newsOf(job, 'away');
  expect(news).toMatchObject({ error: { kind: 'unreachable', port: server.port } });
  expect(monitor.watches(job.uuid)).toBe(false);
  await server.start();
  monitor.watch(server.login(), job);
  expect((await newsOf(job)).news).toMatchObject({ kind: 'ended', code: 0 });
});

it('says at once when the host refuses the login', async () => {
  const other = await sshd();
  const job = planOf('true');
  monitor.watch({ ...server.login(), auth: { privateKey: other.privateKey } }, job);
  await other.close();
  expect((await newsOf(job, 'away')).news).toMatchObject({ error: { kind: 'login-refused' } });
});

it('does with questions where the login has no place for a channel', async () => {
  monitor = watcher({ firstAskMs: 100, lastDeafAskMs: 100 });
  const file = join(home, '.svc');
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, 'in the way');
  const since = await monitor.ready(server.login());
  const job = await start('sleep 0.2; exit 7');
  monitor.watch(server.login(), job, { since });
  expect((await newsOf(job)).news).toMatchObject({ code: 7 });
  rmSync(file);
});

it('says when a job is out of sight for too long', async () => {
  monitor = watcher({ firstAskMs: 50, lastAskMs: 50, unseenMs: 200 });
  const job = planOf('true');
  monitor.watch(server.login(), job);
  expect((await newsOf(job, 'unseen')).news).toMatchObject({
    why: expect.stringContaining('directory'),
  });
});

it('lets go of a host that nobody needs, and leaves nothing there', async () => {
  monitor = watcher({ idleMs: 200 });
  await monitor.ready(server.login());
  expect(channels()).toHaveLength(1);
  await until(() => monitor.stats().hosts === 0);
  await until(() => channels().length === 0);
});
