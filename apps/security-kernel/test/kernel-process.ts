import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { call, type CallAnswer, type PlatformDouble, until } from '@libs/kit';
import { headersOf } from './running-kernel';

const ROOT = join(__dirname, '..', '..', '..');

/** Compiles what a process of its own runs. */
export function build(): void {
  execFileSync(process.execPath, ['tools/build.mjs'], { cwd: ROOT, stdio: 'ignore' });
}

/** A security kernel as a process of its own, to be killed. */
export class KernelProcess {
  private said = '';
  private port?: number;
  private readonly child: ChildProcess;

  private constructor(
    private readonly double: PlatformDouble,
    env: Record<string, string>,
  ) {
    const { PATH, HOME } = process.env;
    this.child = spawn(process.execPath, [join(ROOT, 'dist/apps/security-kernel/src/main.js')], {
      env: { PATH, HOME, PORT: '0', ...double.env(env) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream!.on('data', (text) => (this.said = (this.said + text).slice(-20_000)));
    this.child.on('message', (message: { port: number }) => (this.port = message.port));
  }

  static async start(double: PlatformDouble, env: Record<string, string>): Promise<KernelProcess> {
    const kernel = new KernelProcess(double, env);
    await until(() => {
      if (kernel.child.exitCode !== null) throw new Error(`the kernel ended: ${kernel.said}`);
      return kernel.port;
    }, 60_000);
    return kernel;
  }

  /** Rejects when the kernel dies before it has answered. */
  ask(who: string, path: string, body?: unknown): Promise<CallAnswer> {
    const headers = headersOf(this.double, who);
    return call(`http://127.0.0.1:${this.port}/v3/security${path}`, { headers, body });
  }

  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await gone;
  }
}
