import { spawn, type StdioOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { environment } from '@libs/config';
import { Problem } from '../problem';
import type { DataFolder } from './data-folder';
import { freePort } from './ports';
import { answers, endChild, endProcess, killChild } from './running';

/** The program itself: the one on PATH insists on its own user and folders. */
const SERVER_PLACES = [
  '/usr/lib/rabbitmq/bin/rabbitmq-server',
  '/usr/local/lib/rabbitmq/bin/rabbitmq-server',
  '/opt/homebrew/sbin/rabbitmq-server',
  '/usr/local/sbin/rabbitmq-server',
];
const START_DEADLINE_MS = 60_000;
const LOOPBACK = '127.0.0.1';

export interface Broker {
  url: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const installed = (): string | undefined => SERVER_PLACES.find((place) => existsSync(place));

export const hasBroker = (): boolean => installed() !== undefined;

/** A RabbitMQ of this installation's own, on loopback. An abort ends its start. */
export async function startBroker(data: DataFolder, signal: AbortSignal): Promise<Broker> {
  const server = installed();
  if (!server)
    throw new Problem(
      'Services in processes of their own need RabbitMQ: install rabbitmq-server, or set AMQP_URL.',
    );
  const folder = data.folder('rabbitmq');
  const file = (name: string) => data.at('rabbitmq', name);
  await stopStale(file('pids'), folder);
  const password = kept(file('password'));
  const [port, naming, distribution] = await Promise.all([
    freePort(LOOPBACK),
    freePort(LOOPBACK),
    freePort(LOOPBACK),
  ]);
  writeFileSync(file('enabled_plugins'), '[].\n');
  writeFileSync(
    file('rabbitmq.conf'),
    [
      `listeners.tcp.default = ${LOOPBACK}:${port}`,
      'default_user = platform',
      `default_pass = ${password}`,
      'vm_memory_high_watermark.relative = 0.2',
      'disk_free_limit.absolute = 50MB',
      '',
    ].join('\n'),
  );
  const log = openSync(file('server.log'), 'a');
  const options = { stdio: ['ignore', log, log] as StdioOptions };
  // Erlang's name server would stay behind as a daemon; run as a child it ends with us
  const names = spawn('epmd', ['-address', LOOPBACK, '-port', String(naming)], options);
  const child = spawn(server, [], {
    ...options,
    env: {
      ...environment(),
      HOME: folder,
      LANG: 'C.UTF-8',
      ERL_EPMD_PORT: String(naming),
      ERL_CRASH_DUMP_SECONDS: '0',
      RABBITMQ_NODENAME: 'platform@localhost',
      RABBITMQ_DIST_PORT: String(distribution),
      RABBITMQ_MNESIA_BASE: file('mnesia'),
      RABBITMQ_LOG_BASE: file('log'),
      RABBITMQ_LOGS: '-',
      RABBITMQ_CONFIG_FILE: file('rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
      RABBITMQ_PID_FILE: file('server.pid'),
      // makes the start script become the server instead of waiting for it
      RUNNING_UNDER_SYSTEMD: 'true',
    },
  });
  writeFileSync(file('pids'), `${child.pid ?? 0} ${names.pid ?? 0}`);
  const stop = async () => {
    await endChild(child, 10_000);
    await endChild(names, 500);
  };
  const kill = async () => void (await Promise.all([child, names].map(killChild)));
  signal.addEventListener('abort', kill);
  const there = await answers(child, LOOPBACK, port, START_DEADLINE_MS);
  signal.removeEventListener('abort', kill);
  if (!there) {
    await stop();
    throw new Problem(`RabbitMQ did not start; see ${file('server.log')}`);
  }
  return { url: `amqp://platform:${password}@${LOOPBACK}:${port}`, stop, kill };
}

/** The user is made once, with the first start; later ones need the same password. */
function kept(file: string): string {
  if (!existsSync(file))
    writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

async function stopStale(file: string, mark: string): Promise<void> {
  if (!existsSync(file)) return;
  const [server, names] = readFileSync(file, 'utf8').split(' ').map(Number);
  await endProcess(server ?? 0, mark);
  await endProcess(names ?? 0, 'epmd');
}
