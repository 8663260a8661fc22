import type { Attributes, FileEntryWithStats, InputAttributes, SFTPWrapper, Stats } from 'ssh2';
import {
  type HostPlace,
  HostTimeout,
  HostUnreachable,
  type SftpReason,
  SftpRefused,
} from './host-errors';
import { SftpReader } from './sftp-reader';
import { SftpWriter } from './sftp-writer';

type Done<T> = (error?: (Error & { code?: number }) | null, value?: T) => void;
const REASONS: Record<number, SftpReason> = { 2: 'missing', 3: 'denied', 8: 'unsupported' };
const STALLED_MS = 120_000;

/** What `lstat`, `stat` and listings tell of one path. */
export type SftpAttributes = Attributes;
export interface SftpEntry {
  name: string;
  attributes: SftpAttributes;
}

/** One SFTP session as promises. Refusals are `SftpRefused`, a lost connection `HostUnreachable`. */
export class Sftp {
  closed = false;
  private readonly ended: Promise<void>;

  constructor(
    private readonly raw: SFTPWrapper,
    private readonly place: HostPlace,
  ) {
    this.ended = new Promise((resolve) => {
      raw.once('close', () => {
        this.closed = true;
        resolve();
      });
    });
    raw.on('error', () => (this.closed = true));
  }

  open(path: string, flags: 'r' | 'w' | 'a' | 'r+' | 'wx', mode = 0o666): Promise<Buffer> {
    return this.call(path, (done: Done<Buffer>) => this.raw.open(path, flags, mode, done));
  }

  /** Fills `into` from its start; answers how many bytes came, 0 at the end of the file. */
  read(handle: Buffer, into: Buffer, length: number, position: number): Promise<number> {
    return this.call('', (done: Done<number>) =>
      this.raw.read(handle, into, 0, length, position, done),
    );
  }

  write(handle: Buffer, data: Buffer, position: number): Promise<void> {
    return this.call('', (done: Done<void>) =>
      this.raw.write(handle, data, 0, data.length, position, done),
    );
  }

  close(handle: Buffer): Promise<void> {
    return this.call('', (done: Done<void>) => this.raw.close(handle, done));
  }

  stat(path: string): Promise<Stats> {
    return this.call(path, (done: Done<Stats>) => this.raw.stat(path, done));
  }

  lstat(path: string): Promise<Stats> {
    return this.call(path, (done: Done<Stats>) => this.raw.lstat(path, done));
  }

  fstat(handle: Buffer): Promise<Stats> {
    return this.call('', (done: Done<Stats>) => this.raw.fstat(handle, done));
  }

  setstat(path: string, attributes: InputAttributes): Promise<void> {
    return this.call(path, (done: Done<void>) => this.raw.setstat(path, attributes, done));
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.call(path, (done: Done<void>) => this.raw.chmod(path, mode, done));
  }

  /** Entries without `.` and `..`, in the order the host gives them, a page at a time. */
  async *entries(path: string): AsyncGenerator<SftpEntry[]> {
    const handle = await this.call(path, (done: Done<Buffer>) => this.raw.opendir(path, done));
    try {
      for (;;) {
        const page = await this.call(path, (done: Done<FileEntryWithStats[] | false>) =>
          this.raw.readdir(handle, done as never),
        ).catch((error) => {
          if (error instanceof EndOfFile) return false as const;
          throw error;
        });
        if (!page) return;
        yield page
          .filter((e) => e.filename !== '.' && e.filename !== '..')
          .map((e) => ({ name: e.filename, attributes: e.attrs }));
      }
    } finally {
      await this.close(handle).catch(() => undefined);
    }
  }

  async readdir(path: string): Promise<SftpEntry[]> {
    const all: SftpEntry[] = [];
    for await (const page of this.entries(path)) all.push(...page);
    return all;
  }

  mkdir(path: string): Promise<void> {
    return this.call(path, (done: Done<void>) => this.raw.mkdir(path, done));
  }

  rmdir(path: string): Promise<void> {
    return this.call(path, (done: Done<void>) => this.raw.rmdir(path, done));
  }

  unlink(path: string): Promise<void> {
    return this.call(path, (done: Done<void>) => this.raw.unlink(path, done));
  }

  /** Replaces an existing file where the server can (OpenSSH), else fails on one. */
  rename(from: string, to: string): Promise<void> {
    return this.call(from, (done: Done<void>) => this.raw.ext_openssh_rename(from, to, done)).catch(
      (error) => {
        if (!/not supported|does not support/i.test(error.message)) throw error;
        return this.call(from, (done: Done<void>) => this.raw.rename(from, to, done));
      },
    );
  }

  readlink(path: string): Promise<string> {
    return this.call(path, (done: Done<string>) => this.raw.readlink(path, done));
  }

  symlink(target: string, path: string): Promise<void> {
    return this.call(path, (done: Done<void>) => this.raw.symlink(target, path, done));
  }

  realpath(path: string): Promise<string> {
    return this.call(path, (done: Done<string>) => this.raw.realpath(path, done));
  }

  /** A stream of the file's bytes with many requests in flight. `end` is exclusive. */
  reader(path: string, range?: { start?: number; end?: number }): SftpReader {
    return new SftpReader(this, path, range);
  }

  /** A stream into the file with many requests in flight; truncates unless `start` is given. */
  writer(path: string, options?: { start?: number; mode?: number }): SftpWriter {
    return new SftpWriter(this, path, options);
  }

  /** Ends the session; resolves when the host has closed it too. */
  end(): Promise<void> {
    this.closed = true;
    this.raw.end();
    const giveUp = new Promise<void>((resolve) => setTimeout(resolve, 2_000).unref());
    return Promise.race([this.ended, giveUp]);
  }

  private call<T>(path: string, start: (done: Done<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(this.gone('the SFTP session is closed'));
      const stalled = setTimeout(() => {
        this.closed = true;
        this.raw.end();
        reject(
          new HostTimeout(this.place, `no answer from SFTP for ${STALLED_MS / 1000} s ${path}`),
        );
      }, STALLED_MS);
      const done: Done<T> = (error, value) => {
        clearTimeout(stalled);
        if (error) reject(this.errorOf(error, path));
        else resolve(value as T);
      };
      try {
        start(done);
      } catch (error) {
        done(error as Error);
      }
    });
  }

  private errorOf(error: Error & { code?: number }, path: string): Error {
    if (error.code === 1) return new EndOfFile();
    if (this.closed || /No response from server/.test(error.message)) {
      this.closed = true;
      return this.gone(error.message);
    }
    return new SftpRefused(this.place, REASONS[error.code ?? 4] ?? 'failure', path, error.message);
  }

  private gone(text: string): HostUnreachable {
    return new HostUnreachable(this.place, `connection lost: ${text}`);
  }
}

class EndOfFile extends Error {}
