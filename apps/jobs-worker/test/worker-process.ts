import { until } from '@libs/kit';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

/** Compiles what a process of its own runs. */
export function build(): void {
  execFileSync(process.execPath, ['tools/build.mjs'], { cwd: ROOT, stdio: 'ignore' });
}

/** A worker as a process of its own, to be killed. */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private said = '';
  ended = false;

  constructor(env: Record<string, string | undefined>) {
    const { PATH, HOME } = process.env;
    this.child = spawn(process.execPath, [join(ROOT, 'dist/apps/jobs-worker/src/main.js')], {
      env: { PATH, HOME, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream!.on('data', (text) => (this.said = (this.said + text).slice(-20_000)));
    this.child.on('exit', () => (this.ended = true));
  }

  /** Resolves when it serves; throws what it said if it ends instead. */
  async ready(): Promise<this> {
    let ready = false;
    this.child.once('message', () => (ready = true));
    await until(() => {
      if (this.ended) throw new Error(`the worker ended: ${this.said}`);
      return ready;
    }, 20_000);
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
