import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports';
import { until } from './until';

/** Debian's wrapper insists on root or rabbitmq and on /var/lib; the script behind it does not. */
const SERVER = ['/usr/lib/rabbitmq/bin/rabbitmq-server', '/usr/sbin/rabbitmq-server'].find((path) =>
  existsSync(path),
);

export interface Rabbit {
  url: string;
  /** Ends the broker in good order; its queues stay on disk. */
  shutdown(): Promise<void>;
  /** As a power failure would. Queues made in the last seconds may be unusable afterwards (3.10). */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const hasRabbit = (): boolean => SERVER !== undefined;

/** A RabbitMQ server of one's own on free ports; takes some 6 s to start. */
export async function rabbit(): Promise<Rabbit> {
  if (!SERVER) throw new Error('rabbitmq-server is not installed');
  const dir = mkdtempSync(join(tmpdir(), 'platform-rabbit-'));
  const [port, distPort, epmdPort] = (await freePorts(3)) as [number, number, number];
  writeFileSync(
    join(dir, 'rabbitmq.conf'),
    [
      `listeners.tcp.1 = 127.0.0.1:${port}`,
      'log.file = false',
      'log.console = true',
      'log.console.level = error',
      'disk_free_limit.absolute = 50MB',
      'vm_memory_high_watermark.absolute = 400MB',
    ].join('\n'),
  );
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: dir,
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(dir, 'mnesia'),
    RABBITMQ_LOG_BASE: dir,
    RABBITMQ_NODENAME: `t${port}@localhost`,
    RABBITMQ_DIST_PORT: String(distPort),
    // Makes the script become the server instead of watching it.
    RABBITMQ_ALLOW_INPUT: '1',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 2:2 +sbwt none -noinput',
  };
  const log = join(dir, 'log');
  const run = (program: string, ...args: string[]) => withUs(program, args, env, log);
  // Our own name server of Erlang: the one of the machine would outlive the test.
  const epmd = run('epmd');
  let broker: ChildProcess | undefined;

  const end = async (signal: NodeJS.Signals) => {
    if (!broker || broker.exitCode !== null || broker.signalCode !== null) return;
    const gone = once(broker, 'exit');
    broker.kill(signal);
    await gone;
  };
  const start = async () => {
    const started = run(SERVER);
    broker = started;
    await until(async () => {
      if (started.exitCode !== null) throw new Error(`rabbitmq-server ended: ${readFileSync(log, 'utf8')}`);
      return answers(port);
    }, 60_000, 50); // prettier-ignore
  };
  const stop = async () => {
    await end('SIGKILL');
    epmd.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    shutdown: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    start,
    stop,
  };
}

/** Where util-linux is there, the program ends when the test process does, however that ends. */
function withUs(
  program: string,
  args: string[],
  env: Record<string, string>,
  log: string,
): ChildProcess {
  const guard = existsSync('/usr/bin/setpriv')
    ? ['/usr/bin/setpriv', '--pdeathsig=KILL', '--']
    : [];
  const [file, ...rest] = [...guard, program, ...args] as [string, ...string[]];
  const child = spawn(file, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const keep = (chunk: Buffer) => writeFileSync(log, chunk, { flag: 'a' });
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return child;
}

/** The broker greets whoever speaks AMQP to it only when it serves. */
function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('AMQP\0\0\x09\x01'));
    const end = (yes: boolean) => {
      socket.destroy();
      done(yes);
    };
    socket
      .once('data', () => end(true))
      .once('error', () => end(false))
      .once('close', () => end(false));
  });
}
