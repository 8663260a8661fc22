// From the app's last instruction on the host to the status event at the client, for jobs of 5 s and for jobs that
// look 6 hours old. There is nothing to compare with, so the baseline is the goal.
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@libs/kit';
import { Client } from 'pg';
import { type BenchPlatform, withPlatform } from './bench-platform';
import { main, median, quantile, report, say } from './measure';

const JOBS = Number(process.env.BENCH_END_JOBS ?? 24);
const GOAL_MS = 300;

/** The last instruction writes the time, in nanoseconds. */
const ENDS = `date +%s%N > "$_svcExecSystemOutputDir/end"`;

main(() =>
  withPlatform(async (bench) => {
    say('  jobs of 5 s');
    give('end-noticed', await fiveSeconds(bench));
    say('  jobs of 6 h');
    give('end-noticed-after-6h', await sixHours(bench));
  }),
);

function give(name: string, delays: number[]): void {
  const [ours, p95] = [median(delays), quantile(delays, 0.95)];
  const more = { p95, p95Goal: 1000, jobs: delays.length };
  report({ bench: name, ratio: ours / GOAL_MS, ours, baseline: GOAL_MS, unit: 'ms', ...more });
}

async function fiveSeconds(bench: BenchPlatform): Promise<number[]> {
  const { given, when } = bench.say;
  const system = await given.system({ host: bench.host });
  const app = await given.app({ host: bench.host, system, script: `sleep 5\n${ENDS}` });
  const waiting: Promise<number>[] = [];
  for (let i = 0; i < JOBS; i++) {
    const { uuid, execSystemOutputDir } = await when.submit(app);
    waiting.push(noticed(bench, uuid, execSystemOutputDir));
    await delay(250);
  }
  return Promise.all(waiting);
}

/**
 * Jobs whose rows are set back by 6 h while they run; then the platform is restarted, so that it knows nothing but
 * the rows. They end one after the other once the new process watches them.
 */
async function sixHours(bench: BenchPlatform): Promise<number[]> {
  const { given, when, then } = bench.say;
  const { host, platform } = bench;
  const system = await given.system({ host });
  const script = `while [ ! -e "$_svcExecSystemOutputDir/go" ]; do sleep 0.02; done\n${ENDS}`;
  const app = await given.app({ host, system, script });
  const jobs = await Promise.all(
    Array.from({ length: JOBS + 1 }, () => when.submit(app, { maxMinutes: 1000 })),
  );
  await Promise.all(jobs.map(({ uuid }) => then.job(uuid).reaches('RUNNING')));
  await setBack(bench.databaseUrl);
  await platform.kill();
  const before = host.server.connections();
  await platform.start();
  // it has gone to the host again, to look after its jobs
  await until(() => host.server.connections() > before, 30_000);
  const end = async ({ uuid, execSystemOutputDir }: (typeof jobs)[number]) => {
    const milliseconds = noticed(bench, uuid, execSystemOutputDir);
    await delay(250);
    host.put(`${execSystemOutputDir}/go`, '');
    return { milliseconds };
  };
  // the first one's end shows that the new process listens, which a job of 6 h has not to wait for
  const [first, ...others] = jobs;
  await (
    await end(first!)
  ).milliseconds;
  const waiting: Promise<number>[] = [];
  for (const job of others) waiting.push((await end(job)).milliseconds);
  return Promise.all(waiting);
}

async function setBack(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  url.pathname = '/svc_jobs';
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  const columns = ['created', 'remote_submitted', 'remote_started', 'last_updated'];
  const set = columns.map((c) => `${c} = ${c} - interval '6 hours'`).join(', ');
  await client.query(`UPDATE jobs SET ${set} WHERE status = 'RUNNING'`);
  await client.end();
}

/** Milliseconds between the time the app wrote and the arrival of the event that its end was seen. */
async function noticed(
  { say: { me }, host }: BenchPlatform,
  uuid: string,
  output: string,
): Promise<number> {
  const session = await me();
  for await (const event of session.events(`/v3/jobs/${uuid}/events`)) {
    const now = Date.now();
    const { newJobStatus } = JSON.parse(event.data) as { newJobStatus?: string };
    if (newJobStatus === 'ARCHIVING') return now - Number(host.read(`${output}/end`)) / 1e6;
    if (newJobStatus === 'FAILED') break;
  }
  throw new Error(`job ${uuid} did not end well`);
}
