import { type ExecResult, type Host, isHostError, quote, type Sftp } from '@libs/hosts';
import { nameOf, parentOf } from '../paths';
import { StorageError } from '../storage-error';
import type { StoreAddress } from '../store';

/** A host with a root: turns relative paths into absolute ones and the host's refusals into the store's. */
export class LinuxHost {
  readonly root: string;
  private realRoot?: Promise<string>;

  constructor(
    readonly host: Host,
    private readonly address: StoreAddress,
  ) {
    const trimmed = address.rootDir.replace(/\/+$/, '');
    this.root = trimmed.startsWith('/') || trimmed === '' ? trimmed : `/${trimmed}`;
  }

  get jailed(): boolean {
    return this.address.jailed ?? false;
  }

  /** The same account of the same host: files of both can be opened by one command. */
  isSameLogin({ host }: LinuxHost): boolean {
    const { host: name, port, user } = this.host;
    return host.host === name && host.port === port && host.user === user;
  }

  absolute(path: string): string {
    return path === '' ? this.root || '/' : `${this.root}/${path}`;
  }

  /**
   * The absolute path, checked: for whoever is not the owner what it resolves to must lie inside the root.
   * Without `follow` the last name may be a link, because it is the link itself that is meant.
   */
  async checked(path: string, follow = true): Promise<string> {
    const absolute = this.absolute(path);
    if (this.jailed) await this.mustStayInside(path, follow);
    return absolute;
  }

  /** Runs `work` on an SFTP session, with refusals about `path`. */
  async sftp<T>(path: string, work: (sftp: Sftp) => Promise<T>): Promise<T> {
    try {
      return await this.host.sftp(work);
    } catch (error) {
      throw refusal(path, error);
    }
  }

  /** Runs a command; what it says on stderr decides what the failure is called. */
  async run(
    path: string,
    command: string,
    input?: string,
    timeoutMs = 600_000,
  ): Promise<ExecResult> {
    const result = await this.host.exec(`LC_ALL=C; export LC_ALL; ${command}`, {
      timeoutMs,
      input,
      maxOutput: 256 * 1024 * 1024,
    });
    if (result.code !== 0) throw commandRefusal(path, this.withoutRoot(result.stderr));
    return result;
  }

  quoted(...absolute: string[]): string {
    return quote(...absolute);
  }

  async realPath(path: string): Promise<string> {
    const missing: string[] = [];
    for (let at = path; ; at = parentOf(at)) {
      const real = await this.resolve(at);
      if (real !== undefined) return [real === '/' ? '' : real, ...missing].join('/') || '/';
      missing.unshift(nameOf(at));
    }
  }

  private withoutRoot(text: string): string {
    return this.root ? text.replaceAll(`${this.root}/`, '') : text;
  }

  private async mustStayInside(path: string, follow: boolean): Promise<void> {
    this.realRoot ??= this.sftp('', (sftp) => sftp.realpath(this.absolute('')));
    this.realRoot.catch(() => (this.realRoot = undefined));
    const root = await this.realRoot;
    let at = follow ? path : parentOf(path);
    if (path === '') return;
    for (;;) {
      const real = await this.resolve(at);
      if (real !== undefined) {
        if (real === root || root === '/' || real.startsWith(`${root}/`)) return;
        throw new StorageError('outside-root', path, 'a link on this path leads out of the root');
      }
      // Nothing there yet: where it would be made is what counts.
      at = parentOf(at);
    }
  }

  private async resolve(path: string): Promise<string | undefined> {
    try {
      return await this.host.sftp((sftp) => sftp.realpath(this.absolute(path)));
    } catch (error) {
      if (!isHostError(error, 'sftp')) throw error;
      if (path === '') throw refusal(path, error);
      const reason = (error as { reason?: string }).reason;
      if (reason === 'missing' || reason === 'failure') return undefined;
      throw refusal(path, error);
    }
  }
}

/** An SFTP refusal in the words of the store; other errors pass. */
export function refusal(path: string, error: unknown): unknown {
  if (!isHostError(error, 'sftp')) return error;
  const { reason } = error as unknown as { reason: string };
  const options = { cause: error };
  if (reason === 'missing') return new StorageError('missing', path, missing(path), options);
  if (reason === 'denied') {
    return new StorageError('denied', path, `the host denies it to ${error.user}`, options);
  }
  if (reason === 'unsupported') {
    return new StorageError('unsupported', path, 'the host does not support it', options);
  }
  return new StorageError('failed', path, 'the host reports a failure', options);
}

/** SSH names files by bytes; of a name that is not UTF-8 only this mark is left, and nothing leads back to it. */
const missing = (path: string): string =>
  path.includes('\uFFFD')
    ? 'there is nothing; a name that is not UTF-8 on the host cannot be reached'
    : 'there is nothing';

export function commandRefusal(path: string, stderr: string): StorageError {
  const said = stderr.trim().split('\n').slice(0, 3).join('; ').slice(0, 500);
  if (/permission denied|operation not permitted|read-only file system/i.test(said)) {
    return new StorageError('denied', path, `the host denies it: ${said}`);
  }
  if (/no such file or directory/i.test(said)) return new StorageError('missing', path, said);
  if (/not a directory|non-directory/i.test(said)) {
    return new StorageError('not-directory', path, said);
  }
  if (/into itself|subdirectory of itself|same file/i.test(said)) {
    return new StorageError('same-path', path, said);
  }
  if (/file exists|not empty|with directory|is a directory/i.test(said)) {
    return new StorageError('exists', path, said);
  }
  return new StorageError('failed', path, `the host reports: ${said || 'a failure'}`);
}
