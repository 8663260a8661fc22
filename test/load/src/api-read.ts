// Get one system with a token at 32 connections, against a bare Express server that does one indexed query.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { Client } from 'pg';
import { withPlatform } from './bench-platform';
import { main, pairs, reportPairs } from './measure';

const SECONDS = Number(process.env.BENCH_READ_SECONDS ?? 8);
const CONNECTIONS = 32;

main(() =>
  withPlatform(async ({ host, platform, databaseUrl, say: { given, me } }) => {
    const system = await given.system({ host });
    const session = await me();
    const record = await session.ask('GET', `/v3/systems/${system}`);
    const [bare, port] = await bareServer(databaseUrl, system, record);
    const load = async (url: string, headers: Record<string, string>) => {
      const run = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
      if (run.non2xx || run.errors)
        throw new Error(`${url}: ${run.non2xx} not 2xx, ${run.errors} errors`);
      return run.requests.average;
    };
    const token = { [platform.header('Token')]: session.token! };
    const ours = () => load(`http://127.0.0.1:${platform.port}/v3/systems/${system}`, token);
    const theirs = () => load(`http://127.0.0.1:${port}/systems/dev/${system}`, {});
    // both warm
    await ours();
    await theirs();
    reportPairs('api-read', 'requests/s', await pairs(3, ours, theirs), { goal: 0.5 });
    bare.kill();
  }),
);

/** The bare server in a process of its own, with the same record in an indexed table. */
async function bareServer(databaseUrl: string, id: string, record: object) {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  await client.query(
    'CREATE TABLE bare (tenant text, id text, record jsonb, PRIMARY KEY (tenant, id))',
  );
  // as many rows as a busy tenant has
  await client.query(
    `INSERT INTO bare SELECT 'dev', 'other-' || i, $1::jsonb FROM generate_series(1, 1000) i`,
    [record],
  );
  await client.query(`INSERT INTO bare VALUES ('dev', $1, $2)`, [id, record]);
  await client.end();
  const child = fork(join(__dirname, 'bare-express.js'), [url.toString()]);
  const [port] = (await once(child, 'message')) as [number];
  return [child, port] as const;
}
