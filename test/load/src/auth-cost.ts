// A route of a service that checks the token, against the same route that does not; both get the same bytes.
import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import { PlatformDouble } from '@libs/kit';
import { ownPostgres } from '@libs/flows';
import { main, median, type Pairs, pairs, report, say } from './measure';

/** Many short pairs: a busy moment of the machine meets both, and spoils few. */
const PAIRS = Number(process.env.BENCH_AUTH_PAIRS ?? 21);
const REQUESTS = Number(process.env.BENCH_AUTH_REQUESTS ?? 1_500);
const WARM_UP = 8;
const CONNECTIONS = 32;
const GOAL = 1.1;

main(async () => {
  const postgres = await ownPostgres();
  const double = await PlatformDouble.start();
  const env = double.env({ DATABASE_URL: postgres.url, PORT: '0', NODE_ENV: 'production' });
  const child = fork(join(__dirname, 'auth-cost-service.js'), { env: { ...process.env, ...env } });
  try {
    const port = await readyAt(child);
    const headers = double.as('testuser1');
    const [name] = Object.keys(headers) as [string];
    // the same token under a name that nobody looks at
    const { [name]: token, ...rest } = headers;
    const idle = { ...rest, [name.replace(/.$/, '0')]: token! };
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
    const used = async (): Promise<number> => {
      const told = once(child, 'message');
      child.send('used');
      return ((await told) as [number])[0];
    };
    /** Microseconds of time, and of the service's own processor time, for one request. */
    const load = async (path: string, sent: Record<string, string>, cpu: number[]) => {
      let left = REQUESTS;
      const one = async () => {
        while (left-- > 0) {
          const answer = await pool.request({
            method: 'GET',
            path: `/v3/bench/${path}`,
            headers: sent,
          });
          await answer.body.dump();
          if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
        }
      };
      const before = await used();
      const began = performance.now();
      await Promise.all(Array.from({ length: CONNECTIONS }, one));
      const ms = performance.now() - began;
      cpu.push(((await used()) - before) / REQUESTS);
      return (ms * 1000) / REQUESTS;
    };
    const measure = async (checked: string, open: string): Promise<Pairs & { cpu: Pairs }> => {
      const cpu: Pairs = { ours: [], baseline: [], ratio: 0 };
      // until both ways are compiled as well as they will be
      for (let round = 0; round < WARM_UP; round++) {
        await load(checked, headers, []);
        await load(open, idle, []);
      }
      const wall = await pairs(
        PAIRS,
        () => load(checked, headers, cpu.ours),
        () => load(open, idle, cpu.baseline),
      );
      cpu.ratio = median(cpu.ours.map((us, i) => us / cpu.baseline[i]!));
      return { ...wall, cpu };
    };
    say('  with one indexed query');
    const query = await measure('checked/7', 'open/7');
    say('  with nothing to do at all');
    const bare = await measure('checked-bare', 'open-bare');
    report({
      bench: 'auth-cost',
      ratio: query.ratio,
      ours: median(query.ours),
      baseline: median(query.baseline),
      unit: 'µs/request',
      pairs: PAIRS,
      goal: GOAL,
      cpuRatio: query.cpu.ratio,
      cpuUs: median(query.cpu.ours),
      bareRatio: bare.ratio,
      bareCpuRatio: bare.cpu.ratio,
    });
    await pool.close();
  } finally {
    child.kill();
    await double.close();
    await postgres.stop();
  }
});

/** The port of a service, once it is ready for work. */
async function readyAt(child: ChildProcess): Promise<number> {
  for await (const [{ ready, port }] of on(child, 'message', { close: ['exit'] }))
    if (ready) return port;
  throw new Error('the service ended before it was ready');
}
