import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresBinaries, type PostgresBinaries } from './embedded/binaries';
import { lockFolder } from './embedded/folder-lock';
import { commandOf, endProcess, isAlive } from './embedded/processes';
import { runAs, type RunAs } from './embedded/run-as';

export interface EmbeddedPostgresOptions {
  /** Everything of the server lies here: data, password, log, lock. Made when missing. */
  dir: string;
  /** A free one when absent. */
  port?: number;
  /** False trades safety against power loss for speed (a killed process never loses a commit). Default true. */
  durable?: boolean;
  /** Ends a start that is under way; the server itself ends by `stop`. */
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /** Superuser URL of the maintenance database. */
  url: string;
  pid: number;
  stop(): Promise<void>;
  /** It leaves at once and takes its children with it; the next start recovers. */
  kill(): Promise<void>;
}

const START_DEADLINE = 30_000;
/** Small and quiet: many idle connections, little memory. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_connections: '150',
  jit: 'off',
  io_method: 'sync',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  wal_level: 'minimal',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  checkpoint_timeout: '15min',
  max_wal_size: '256MB',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Starts a private PostgreSQL from the binaries that came with npm, as root too. Whatever a killed run left behind (a
 * server without its parent, a stale pid file) is cleared first; a folder in use by a living process is an error.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dir = resolve(options.dir);
  const [binaries, as] = await Promise.all([postgresBinaries(), runAs()]);
  await mkdir(dir, { recursive: true });
  const unlock = await lockFolder(join(dir, 'owner'), `the embedded PostgreSQL in ${dir}`);
  try {
    if (as.owner) await chown(dir, as.owner.uid, as.owner.gid);
    await chmod(dir, 0o700);
    await endLeftover(join(dir, 'data'));
    const password = await initialise(dir, binaries, as, options.signal);
    const { child, port } = await launch(dir, binaries, as, options);
    const pid = child.pid!;
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      pid,
      async stop() {
        // Fast shutdown, then an immediate one (recovery at the next start), then by force.
        if (child.exitCode === null && child.signalCode === null) {
          await endProcess(pid, [['SIGINT', 3000], ['SIGQUIT', 1000], ['SIGKILL', 1000]]); // prettier-ignore
        }
        await unlock();
      },
      kill: () => endProcess(pid, [['SIGQUIT', 400], ['SIGKILL', 300]]), // prettier-ignore
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function initialise(
  dir: string,
  { initdb }: PostgresBinaries,
  as: RunAs,
  signal?: AbortSignal,
): Promise<string> {
  const passwordFile = join(dir, 'password');
  if (existsSync(join(dir, 'data', 'PG_VERSION')))
    return (await readFile(passwordFile, 'utf8')).trim();
  const password = randomBytes(24).toString('hex');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (as.owner) await chown(passwordFile, as.owner.uid, as.owner.gid);
  // Made beside its final name, so that a run killed in the middle leaves nothing that looks finished.
  const fresh = join(dir, 'data.new');
  await rm(fresh, { recursive: true, force: true });
  const { file, args, ids } = as.command(initdb, [
    `--pgdata=${fresh}`, '--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`,
    '--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync',
    '--set=shared_buffers=32MB', '--set=max_connections=150', '--set=dynamic_shared_memory_type=posix',
  ]); // prettier-ignore
  const child = spawn(file, args, {
    ...ids,
    cwd: dir,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const code = await untilAborted(
    child,
    signal,
    () => new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done)),
  );
  if (code !== 0) throw new Error(`initdb failed (${code}): ${complaint.trim()}`);
  await rename(fresh, join(dir, 'data'));
  return password;
}

async function launch(
  dir: string,
  binaries: PostgresBinaries,
  as: RunAs,
  options: EmbeddedPostgresOptions,
) {
  const deadline = Date.now() + START_DEADLINE;
  for (;;) {
    const port = options.port ?? (await freePort());
    const settings = { ...SETTINGS, port: String(port), ...(options.durable === false && { fsync: 'off', full_page_writes: 'off' }) }; // prettier-ignore
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { file, args, ids } = as.command(binaries.postgres, ['-D', join(dir, 'data'), ...flags]);
    const log = await open(join(dir, 'log'), 'w');
    const child = spawn(file, args, {
      ...ids,
      cwd: dir,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    const ready = await untilAborted(child, options.signal, () =>
      isReady(child, join(dir, 'data'), deadline),
    );
    if (ready) return { child, port };
    const complaint = (await readFile(join(dir, 'log'), 'utf8')).trim();
    if (options.port !== undefined && /Address already in use/.test(complaint)) {
      throw new Error(`port ${port} for the embedded PostgreSQL is taken`);
    }
    // Processes of a killed server may need a moment to let go of its shared memory; a free port may just be lost.
    const passing = /still in use|Address already in use|lock file/.test(complaint);
    if (!passing || Date.now() > deadline)
      throw new Error(`PostgreSQL did not start: ${complaint}`);
    await delay(200);
  }
}

/** An abort ends the child, and with it the work. */
async function untilAborted<T>(
  child: ChildProcess,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const end = () => child.kill('SIGTERM');
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  try {
    const result = await work();
    const alive = child.exitCode === null && child.signalCode === null;
    if (signal?.aborted && alive) await endProcess(child.pid!, [['SIGQUIT', 1000], ['SIGKILL', 500]]); // prettier-ignore
    signal?.throwIfAborted();
    return result;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** The server says in its pid file when it takes connections. */
async function isReady(child: ChildProcess, data: string, deadline: number): Promise<boolean> {
  let failed: Error | undefined;
  child.once('error', (error) => (failed = error));
  while (Date.now() < deadline) {
    if (failed) throw failed;
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split(
      '\n',
    );
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
    await delay(10);
  }
  await endProcess(child.pid!, [['SIGKILL', 1000]]);
  return false;
}

async function endLeftover(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  if (isAlive(pid) && (await commandOf(pid)).includes(data)) {
    await endProcess(pid, [['SIGINT', 5000], ['SIGQUIT', 3000], ['SIGKILL', 2000]]); // prettier-ignore
  }
  await rm(file, { force: true });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
