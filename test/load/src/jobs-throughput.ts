// 500 no-op jobs at once, against a bare loop over one SSH connection that makes a directory, writes two files, starts
// the same script and waits, eight at a time.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestHost } from '@libs/flows';
import { Client, type SFTPWrapper } from 'ssh2';
import { withPlatform } from './bench-platform';
import { main, median, pairs, report, say } from './measure';
import { type Memory, watchPeak } from './processes';

const JOBS = Number(process.env.BENCH_JOBS ?? 500);
const AT_ONCE = 8;
/** The bare loop has up to nine sessions on its one connection; a closed one counts for some moments longer. */
const SSHD = { config: ['MaxSessions 20'] };

main(() =>
  withPlatform(async ({ host, platform, say: { given, when, me } }) => {
    const system = await given.system({ host });
    const app = await given.app({ host, system, script: 'true' });
    const session = await me();
    const opened: number[] = [];
    let peak: Memory | undefined;

    const ours = async (round: number, count = JOBS) => {
      const before = host.server.connections();
      const stop = watchPeak(platform.pid);
      const tag = `round-${round}`;
      const ms = await clock(async () => {
        await atOnce(count, AT_ONCE, () => when.submit(app, { tags: [tag] }));
        const ended = `/v3/jobs/search?limit=1&computeTotal=true&tags.contains=${tag}`;
        for (;;) {
          const failed = await total(`${ended}&status.in=FAILED,CANCELLED`);
          if (failed) throw new Error(`${failed} jobs failed`);
          if ((await total(`${ended}&status=FINISHED`)) === count) return;
          await delay(100);
        }
      });
      const memory = stop();
      if (!peak || memory.pssMb > peak.pssMb) peak = memory;
      opened.push(host.server.connections() - before);
      return (count * 1000) / ms;
    };
    const total = async (path: string): Promise<number> => {
      const reply = await session.call('GET', path);
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.message}`);
      return reply.json.metadata.totalCount;
    };
    const image = host.path(`images/${app.id}.tar.gz`);
    await ours(-1, 20);
    const measured = await pairs(3, ours, (round) => bareLoop(host, image, round));
    say(`  connections opened in the warm-up and each round: ${opened.join(', ')}`);
    report({
      bench: 'jobs-throughput',
      ratio: measured.ratio,
      ours: median(measured.ours),
      baseline: median(measured.baseline),
      unit: 'jobs/s',
      pairs: 3,
      jobs: JOBS,
      goal: 0.3,
      peakMb: peak!.pssMb,
      connectionsOpened: opened.reduce((a, b) => a + b),
      connectionsGoal: 4,
    });
  }, SSHD),
);

/** Jobs per second. */
async function bareLoop(host: TestHost, image: string, round: number): Promise<number> {
  const client = new Client();
  const { port, user, privateKey } = host.server;
  await new Promise((done, failed) => {
    client.once('ready', () => done(undefined)).once('error', failed);
    client.connect({ host: '127.0.0.1', port, username: user, privateKey });
    client.setNoDelay(true);
  });
  const sftp = await new Promise<SFTPWrapper>((done, failed) =>
    client.sftp((error, session) => (error ? failed(error) : done(session))),
  );
  const write = (path: string, text: string) =>
    new Promise<void>((done, failed) =>
      sftp.writeFile(path, text, (error) => (error ? failed(error) : done())),
    );
  const exec = (command: string) =>
    new Promise<void>((done, failed) =>
      client.exec(command, (error, channel) => {
        if (error) return failed(error);
        channel.resume().stderr.resume();
        channel.once('close', (code: number) =>
          code ? failed(new Error(`${command}: ${code}`)) : done(),
        );
      }),
    );
  const script =
    '#!/bin/sh\n. ./job.env\ntar -xf "$IMAGE" && ./svcjob_app.sh > output/job.out 2>&1\n';
  const ms = await clock(() =>
    atOnce(JOBS, AT_ONCE, async (i) => {
      const dir = host.path('loop', String(round), String(i));
      await exec(`mkdir -p ${dir}/output`);
      await write(`${dir}/job.env`, `IMAGE='${image}'\n`);
      await write(`${dir}/job.sh`, script);
      await exec(`cd ${dir} && sh job.sh`);
    }),
  );
  client.end();
  return (JOBS * 1000) / ms;
}

async function atOnce(count: number, width: number, work: (i: number) => Promise<unknown>) {
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, one));
}

async function clock(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
