import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(__dirname, '../../..');
const MAIN = 'dist/apps/standalone/src/main.js';

/** Compiles what changed, so that the launcher under test is the one in the sources. */
export function build(): void {
  execFileSync(process.execPath, [join(root, 'tools/build.mjs')], { cwd: root, stdio: 'pipe' });
}

/** A data folder of a test's own; the platform in it listens on a free port. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'platform-'));
  private readonly started: Launched[] = [];

  start(args: string[], env: Record<string, string> = {}, script = MAIN): Launched {
    const all = { DATA_DIR: join(this.folder, 'data'), PORT: '0', ...env };
    const launched = new Launched([join(root, script), ...args], all);
    this.started.push(launched);
    return launched;
  }

  /** Processes of this installation that are still there: each names its data folder in its command or settings. */
  processes(): { pid: number; command: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map((name) => ({ pid: Number(name), command: read(name, 'cmdline') }))
      .filter(
        ({ pid, command }) =>
          command.includes(this.folder) || read(String(pid), 'environ').includes(this.folder),
      );
  }

  async remove(): Promise<void> {
    for (const launched of this.started) launched.signal('SIGKILL');
    for (const { pid } of this.processes()) kill(pid);
    for (const launched of this.started) await launched.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One run of the launcher, with what it printed. */
export class Launched {
  output = '';
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  private readonly child: ChildProcess;
  private readonly watchers = new Set<() => void>();
  private readonly seen = new Map<number, string>();

  constructor(args: string[], env: Record<string, string>) {
    this.child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        for (const watcher of this.watchers) watcher();
      });
    const look = setInterval(() => this.lookAround(), 100);
    this.child.once('close', () => clearInterval(look));
    this.ended = new Promise((done) =>
      this.child.once('close', (code, signal) => done({ code, signal })),
    );
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Resolves when the launcher has printed it; fails with everything printed when it ends before. */
  async prints(pattern: RegExp, patience = 150_000): Promise<RegExpExecArray> {
    const seen = () => pattern.exec(this.output);
    return new Promise((done, failed) => {
      const late = setTimeout(
        () => failed(new Error(`Not printed: ${pattern}\n${this.output}`)),
        patience,
      );
      const watch = () => {
        const found = seen();
        if (!found) return;
        clearTimeout(late);
        this.watchers.delete(watch);
        done(found);
      };
      this.watchers.add(watch);
      void this.ended.then(() => {
        watch();
        clearTimeout(late);
        failed(new Error(`Ended before it printed ${pattern}\n${this.output}`));
      });
      watch();
    });
  }

  /** Processes that were seen below the launcher, whatever started them, and are still there. */
  survivors(): string[] {
    return [...this.seen]
      .filter(([pid, began]) => began && startOf(pid) === began)
      .map(([pid]) => `${pid} ${read(String(pid), 'cmdline')}`);
  }

  private lookAround(): void {
    for (const waiting = [this.pid]; waiting.length;) {
      const pid = waiting.pop()!;
      const children = read(`${pid}/task/${pid}`, 'children').trim().split(' ').filter(Boolean);
      for (const child of children.map(Number)) {
        this.seen.set(child, startOf(child));
        waiting.push(child);
      }
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}

/** Tells a process from a later one with the same number; one that nobody collected is gone. */
function startOf(pid: number): string {
  const stat = read(String(pid), 'stat');
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? '' : (rest[18] ?? '');
}

function read(pid: string, name: string): string {
  try {
    return readFileSync(join('/proc', pid, name), 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
