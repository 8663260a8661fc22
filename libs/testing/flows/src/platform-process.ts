import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freshDatabase, until } from '@libs/kit';
import { Answers } from './answers';
import type { Listener } from './http-call';
import { Session } from './session';

const REPOSITORY = resolve(__dirname, ...Array(__dirname.includes('/dist/') ? 5 : 4).fill('..'));
const LAUNCHER = join(REPOSITORY, 'dist/apps/standalone/src/main.js');
const START_DEADLINE_MS = 180_000;
const STOP_DEADLINE_MS = 10_000;

export interface PlatformOptions {
  /** Every service in a process of its own. */
  fork?: boolean;
  /** PLATFORM_NAME, default `svc`. */
  name?: string;
  /** `shared`: databases of its own on the test run's server; `embedded`: the server the launcher starts. */
  database?: 'shared' | 'embedded';
  env?: Record<string, string>;
}

/** The whole platform as `npm start` runs it, in processes of its own with a private data folder and port. */
export class PlatformProcess {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'platform-'));
  readonly answers = new Answers();
  readonly name: string;
  readonly databaseUrl?: string;
  port = 0;
  /** What the launcher printed, over all its starts. */
  output = '';
  private child?: ChildProcess;
  private agent = new Agent({ keepAlive: true, maxSockets: 16 });
  private readonly sessions = new Map<string, Promise<Session>>();

  private constructor(readonly options: PlatformOptions) {
    this.name = options.name ?? 'svc';
    if (options.database !== 'embedded')
      this.databaseUrl = options.env?.DATABASE_URL ?? freshDatabase();
    process.once('exit', () => this.signalAll('SIGKILL'));
  }

  static async start(options: PlatformOptions = {}): Promise<PlatformProcess> {
    const platform = await PlatformProcess.prepare(options);
    await platform.start();
    return platform;
  }

  /** With a data folder and a port, not started yet. */
  static async prepare(options: PlatformOptions = {}): Promise<PlatformProcess> {
    const platform = new PlatformProcess(options);
    platform.port = await freePort();
    return platform;
  }

  get listener(): Listener {
    return { port: this.port, agent: this.agent };
  }

  get pid(): number {
    return this.child!.pid!;
  }

  baseUrl(tenant = 'dev'): string {
    return `http://${this.hostOf(tenant)}`;
  }

  hostOf(tenant: string): string {
    return `${tenant === 'dev' ? '' : `${tenant}.`}localhost:${this.port}`;
  }

  header(name: string): string {
    return `X-${this.name[0]!.toUpperCase()}${this.name.slice(1)}-${name}`;
  }

  /** Starts it, again after `kill` or `stop`: same data, same port. `env` holds for this time only. */
  async start(env: Record<string, string> = {}): Promise<void> {
    if (!existsSync(LAUNCHER)) throw new Error(`${LAUNCHER} is missing: run npm run build first`);
    this.agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const args = ['--no-sample', ...(this.options.fork ? ['--fork'] : [])];
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      cwd: REPOSITORY,
      env: { ...cleanEnvironment(), ...this.environment(), ...this.options.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // a group of its own: killing everything at once is one call
      detached: true,
    });
    this.child = child;
    await this.ready(child);
  }

  /** The power fails: every process of the platform gets SIGKILL at once. */
  async kill(): Promise<void> {
    const gone = this.ended();
    this.signalAll('SIGKILL');
    await gone;
    this.agent.destroy();
  }

  /** Resolves when the launcher has ended, however that came about. */
  async ended(): Promise<number | NodeJS.Signals | null> {
    const child = this.child;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((done) => child.once('exit', done));
    return child.exitCode ?? child.signalCode;
  }

  /** Asks it to end as Ctrl-C does; answers the milliseconds it took. */
  async stop(): Promise<number> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return 0;
    const began = performance.now();
    child.kill('SIGTERM');
    const timer = setTimeout(() => this.signalAll('SIGKILL'), STOP_DEADLINE_MS);
    const how = await this.ended();
    clearTimeout(timer);
    this.agent.destroy();
    if (how === 'SIGKILL') throw new Error(`did not stop within ${STOP_DEADLINE_MS} ms`);
    return performance.now() - began;
  }

  /** Ends it and removes its files. */
  async close(): Promise<void> {
    try {
      await this.stop();
    } finally {
      this.signalAll('SIGKILL');
      if (!process.env.KEEP_DATA) rmSync(this.dataDir, { recursive: true, force: true });
    }
  }

  /** The processes of `--fork`, by service. */
  services(): Record<string, number> {
    return JSON.parse(readFileSync(join(this.dataDir, 'services.json'), 'utf8'));
  }

  /** Kills one service of `--fork` and resolves when another process has its place. */
  async killService(name: string): Promise<void> {
    const before = this.services()[name];
    if (!before) throw new Error(`no service ${name} in ${JSON.stringify(this.services())}`);
    process.kill(before, 'SIGKILL');
    await until(() => this.services()[name] !== before && this.services()[name], 30_000);
  }

  /** Everything the platform wrote to its logs and terminal. */
  logs(): string {
    const files = readdirSync(this.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.log$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    return [this.output, ...files].join('\n');
  }

  /** The launcher's own secrets: test material only. */
  secrets(): {
    siteAdminPrivateKey: string;
    masterKey: string;
    servicePasswords: Record<string, string>;
  } {
    return JSON.parse(readFileSync(join(this.dataDir, 'secrets.json'), 'utf8'));
  }

  anonymous(tenant = 'dev'): Session {
    return new Session(this, { tenant });
  }

  /** A user who has logged in with the password grant; the password of a test account is its name. */
  as(user: string, tenant = 'dev'): Promise<Session> {
    const key = `${user}@${tenant}`;
    let session = this.sessions.get(key);
    if (!session) {
      session = this.login(user, tenant);
      session.catch(() => this.sessions.delete(key));
      this.sessions.set(key, session);
    }
    return session;
  }

  private async login(user: string, tenant: string): Promise<Session> {
    const session = this.anonymous(tenant);
    const body = { grant_type: 'password', username: user, password: user };
    const result = await session.ask('POST', '/v3/oauth2/tokens', body);
    session.token = result.access_token.access_token;
    return session;
  }

  private environment(): Record<string, string> {
    return {
      DATA_DIR: this.dataDir,
      HOST: '127.0.0.1',
      PORT: String(this.port),
      PLATFORM_NAME: this.name,
      ...(this.databaseUrl && { DATABASE_URL: this.databaseUrl }),
    };
  }

  private ready(child: ChildProcess): Promise<void> {
    return new Promise((done, failed) => {
      const timer = setTimeout(
        () => finish(new Error(`not ready within ${START_DEADLINE_MS} ms`)),
        START_DEADLINE_MS,
      );
      const finish = (problem?: Error) => {
        clearTimeout(timer);
        child.off('exit', onExit);
        if (!problem) return done();
        this.signalAll('SIGKILL');
        failed(new Error(`${problem.message}\n${this.output.slice(-4000)}`));
      };
      const onExit = () => finish(new Error('the launcher ended before it was ready'));
      child.once('exit', onExit);
      let line = '';
      const listen = (text: string) => {
        this.output = (this.output + text).slice(-1_000_000);
        line = (line + text).slice(-2000);
        if (/^Ready: /m.test(line)) finish();
      };
      child.stdout!.setEncoding('utf8').on('data', listen);
      child.stderr!.setEncoding('utf8').on('data', listen);
    });
  }

  private signalAll(signal: NodeJS.Signals): void {
    if (!this.child?.pid) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // all gone
    }
  }
}

/** Jest's own variables would change what is tested. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_COMPILE_CACHE: join(REPOSITORY, 'node_modules/.cache/compile'),
  };
  for (const name of ['JEST_WORKER_ID', 'NODE_ENV', 'NODE_OPTIONS', 'TEST_DATABASE_URL'])
    delete env[name];
  return env;
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer().once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
