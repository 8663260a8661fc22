import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Sshd, type SshdOptions, sshd } from '@libs/kit';

/** A host on loopback: a real OpenSSH server, a root directory for a system, and places outside of it. */
export class TestHost {
  /** Everything of the host lies below; the system's paths begin in `rootDir`. */
  readonly base: string;
  readonly rootDir: string;

  private constructor(readonly server: Sshd) {
    this.base = server.root;
    this.rootDir = join(this.base, 'root');
    mkdirSync(this.rootDir);
  }

  static async start(options?: SshdOptions): Promise<TestHost> {
    return new TestHost(await sshd(options ?? {}));
  }

  /** Absolute path of something under the root directory. */
  path(...names: string[]): string {
    return join(this.rootDir, ...names);
  }

  outside(...names: string[]): string {
    return join(this.base, ...names);
  }

  /** Puts a file on the host by hand. */
  put(path: string, content: string | Buffer, mode = 0o644): string {
    const at = this.path(path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, content, { mode });
    return at;
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  /** Every file and directory below a folder, by path relative to it. */
  tree(folder = this.rootDir): string[] {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  }

  isFile(path: string): boolean {
    return statSync(this.path(path), { throwIfNoEntry: false })?.isFile() ?? false;
  }

  /** Lines that programs on the host appended to a file. */
  lines(path: string): string[] {
    return this.has(path) ? this.read(path).split('\n').filter(Boolean) : [];
  }

  append(path: string, text: string): void {
    appendFileSync(this.path(path), text);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
