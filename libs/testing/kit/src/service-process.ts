import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { until } from './until';

const REPOSITORY = resolve(__dirname, '../../../..');
const START_DEADLINE_MS = 90_000;

/** Compiles what a process of its own runs. */
export function buildServices(): void {
  execFileSync(process.execPath, ['tools/build.mjs'], { cwd: REPOSITORY, stdio: 'ignore' });
}

/** A service as a process of its own, to be killed. `app` is its folder; it listens on a free port. */
export class ServiceProcess {
  private readonly child: ChildProcess;
  private said = '';
  /** Where it listens, once it is ready. */
  url = '';
  ended = false;

  constructor(app: string, env: Record<string, string | undefined>) {
    const { PATH, HOME } = process.env;
    const main = join(REPOSITORY, 'dist/apps', app, 'src/main.js');
    this.child = spawn(process.execPath, [main], {
      env: { PATH, HOME, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream!.on('data', (text) => (this.said = (this.said + text).slice(-20_000)));
    this.child.on('exit', () => (this.ended = true));
    this.child.on('message', ({ port }: { port?: number }) => {
      if (port) this.url = `http://127.0.0.1:${port}`;
    });
  }

  /** Resolves when it serves; throws what it said if it ends instead. */
  async ready(): Promise<this> {
    await until(() => {
      if (this.ended) throw new Error(`the process ended: ${this.said}`);
      return this.url;
    }, START_DEADLINE_MS);
    return this;
  }

  /** Resolves with the signal that ended it. */
  async gone(): Promise<string | null> {
    if (!this.ended) await once(this.child, 'exit');
    return this.child.signalCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.gone();
  }

  log(): string {
    return this.said;
  }
}
