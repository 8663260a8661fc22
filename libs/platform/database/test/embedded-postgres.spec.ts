import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from '@libs/kit';
import { startEmbeddedPostgres } from '../src';

const dir = mkdtempSync(join(tmpdir(), 'platform-embedded-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Processes that name the folder in their command. */
const running = (folder: string) =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });

async function count(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE TABLE IF NOT EXISTS seen (id int)');
    await client.query('INSERT INTO seen VALUES (1)');
    return (await client.query('SELECT FROM seen')).rowCount!;
  } finally {
    await client.end();
  }
}

it('starts, refuses a second owner, stops, and starts again with its data', async () => {
  const first = await startEmbeddedPostgres({ dir });
  expect(await count(first.url)).toBe(1);
  await expect(startEmbeddedPostgres({ dir })).rejects.toThrow(`in use by process ${process.pid}`);
  await first.stop();
  const second = await startEmbeddedPostgres({ dir });
  expect(await count(second.url)).toBe(2);
  await second.stop();
});

it('takes over after its owner and the server were killed', async () => {
  const server = await startEmbeddedPostgres({ dir });
  expect(await count(server.url)).toBe(3);
  process.kill(server.pid, 'SIGKILL');
  // The lock of a process that is gone, and whatever pid file the server left.
  const gone = spawn('true');
  await once(gone, 'exit');
  writeFileSync(join(dir, 'owner'), `${gone.pid} 1\n`);
  expect(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8')).toContain(`${server.pid}`);
  const next = await startEmbeddedPostgres({ dir });
  expect(await count(next.url)).toBe(4);
  await next.stop();
});

it('ends a start that is called off, leaves no process behind, and starts later', async () => {
  const fresh = mkdtempSync(join(tmpdir(), 'platform-embedded-'));
  const off = new AbortController();
  const start = startEmbeddedPostgres({ dir: fresh, signal: off.signal });
  await until(() => running(fresh).length > 0);
  off.abort();
  await expect(start).rejects.toThrow();
  await until(() => running(fresh).length === 0);
  const server = await startEmbeddedPostgres({ dir: fresh });
  await server.kill();
  expect(running(fresh)).toEqual([]);
  rmSync(fresh, { recursive: true, force: true });
});

it('says which port is taken', async () => {
  const server = await startEmbeddedPostgres({ dir });
  const other = mkdtempSync(join(tmpdir(), 'platform-embedded-'));
  const port = Number(new URL(server.url).port);
  await expect(startEmbeddedPostgres({ dir: other, port })).rejects.toThrow(`port ${port}`);
  await server.stop();
  rmSync(other, { recursive: true, force: true });
});
