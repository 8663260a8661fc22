import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { type HostPool, isHostError, type Sftp } from '@libs/hosts';
import { isWithin, joinPath, nameOf, parentOf } from '../paths';
import { isStorageError, StorageError } from '../storage-error';
import type {
  BundleStore,
  Capability,
  Entry,
  ReadAnswer,
  ReadRange,
  StoreAddress,
  WalkEntry,
  WalkOptions,
  WriteOptions,
} from '../store';
import * as bundles from './linux-bundle';
import { entryOf } from './linux-entry';
import { LinuxHost, refusal } from './linux-host';
import { walkLinux } from './linux-walk';

const PROGRESS_MS = 500;
/** Copying or removing a large tree on the host. */
const LONG_MS = 6 * 3_600_000;

/** Files of a POSIX host. Every path that reaches a shell is absolute and quoted. */
export class LinuxStore implements BundleStore {
  readonly type = 'LINUX';
  readonly host: LinuxHost;

  constructor(
    address: StoreAddress,
    pool: HostPool,
    readonly capabilities: ReadonlySet<Capability>,
  ) {
    const { host, port, user, auth, hostKeys, onHostKey } = address;
    this.host = new LinuxHost(pool.host({ host, port, user, auth, hostKeys, onHostKey }), address);
  }

  async stat(path: string, { follow = true }: { follow?: boolean } = {}): Promise<Entry> {
    const absolute = await this.host.checked(path, follow);
    return this.host.sftp(path, async (sftp) =>
      entryOf(path, await (follow ? sftp.stat(absolute) : sftp.lstat(absolute))),
    );
  }

  async list(path: string): Promise<Entry[]> {
    const start = await this.stat(path);
    if (start.type !== 'dir') return [start];
    const absolute = this.host.absolute(path);
    const found = await this.host.sftp(path, (sftp) => sftp.readdir(absolute));
    return found.map(({ name, attributes }) => entryOf(joinPath(path, name), attributes));
  }

  async *walk(path: string, options: WalkOptions = {}): AsyncGenerator<WalkEntry> {
    const start = await this.stat(path);
    if (start.type === 'dir') yield* walkLinux(this.host, start, options);
    else yield { ...start, relative: '', entered: false };
  }

  async read(path: string, range: ReadRange = {}): Promise<ReadAnswer> {
    const entry = await this.stat(path);
    this.mustBeFile(entry);
    const { start = 0 } = range;
    if (start > entry.size) {
      throw new StorageError(
        'range',
        path,
        `the file has ${entry.size} bytes, fewer than ${start}`,
      );
    }
    const end = Math.min(range.end ?? entry.size, entry.size);
    const { sftp, release } = await this.host.host.leaseSftp();
    const stream = sftp.reader(this.host.absolute(path), { start, end });
    stream.once('close', () => release());
    await once(stream, 'open').catch((error) => {
      throw refusal(path, error);
    });
    return { stream, size: Math.max(0, end - start) };
  }

  async write(path: string, source: Readable, options: WriteOptions = {}): Promise<number> {
    if (path === '') throw new StorageError('is-directory', path, 'the root is a directory');
    const absolute = await this.host.checked(path);
    await this.mustNotBeDirectory(path);
    const { sftp, release } = await this.host.host.leaseSftp();
    try {
      return await this.pour(sftp, path, absolute, source, options);
    } catch (error) {
      throw refusal(path, error);
    } finally {
      release();
    }
  }

  async mkdir(path: string): Promise<void> {
    const absolute = await this.host.checked(path);
    try {
      await this.host.sftp(path, (sftp) => this.makeDirectory(sftp, path, absolute));
    } catch (error) {
      throw await this.inTheWay(path, error);
    }
  }

  async move(from: string, to: string): Promise<string> {
    const { source, into, target } = await this.bothEnds(from, to, true);
    await this.host.run(from, `exec mv -f -- ${this.host.quoted(source, into)}`);
    return target;
  }

  async copy(from: string, to: string): Promise<string> {
    const { source, into, target } = await this.bothEnds(from, to, false);
    await this.host.run(
      from,
      `exec cp -R -P -- ${this.host.quoted(source, into)}`,
      undefined,
      LONG_MS,
    );
    return target;
  }

  async remove(path: string): Promise<void> {
    if (path === '') {
      const root = this.host.quoted(this.host.absolute(''));
      const all = `find -H ${root} -mindepth 1 -maxdepth 1 -exec rm -rf -- {} +`;
      await this.host.run(path, `exec ${all}`, undefined, LONG_MS);
      return;
    }
    const entry = await this.stat(path, { follow: false });
    if (entry.type === 'other') {
      throw new StorageError('special-file', path, 'a device, pipe or socket is not removed');
    }
    const absolute = this.host.absolute(path);
    if (entry.type !== 'dir') return this.host.sftp(path, (sftp) => sftp.unlink(absolute));
    await this.host.run(path, `exec rm -rf -- ${this.host.quoted(absolute)}`, undefined, LONG_MS);
  }

  async canBundle(base: string): Promise<boolean> {
    if (!(await bundles.canBundle(this.host))) return false;
    if (!this.host.jailed) return true;
    await this.host.checked(base);
    // With links about, each file has to be looked at before it is opened.
    return (await this.stat(base).then(
      () => true,
      () => false,
    ))
      ? !(await bundles.hasLinks(this.host, base))
      : true;
  }

  mkdirs(paths: string[]): Promise<void> {
    return bundles.mkdirs(this.host, paths);
  }

  bundleOut(base: string, files: string[]) {
    return bundles.bundleOut(this.host, base, files);
  }

  bundleIn(base: string) {
    return bundles.bundleIn(this.host, base);
  }

  sizes(base: string, files: string[]): Promise<Map<string, number>> {
    return bundles.sizes(this.host, base, files);
  }

  private async pour(
    sftp: Sftp,
    path: string,
    absolute: string,
    source: Readable,
    options: WriteOptions,
  ): Promise<number> {
    const { resumeAt, executable, onProgress, signal } = options;
    await this.makeParent(sftp, path);
    const writer = sftp.writer(absolute, { start: resumeAt || undefined });
    const timer = onProgress && setInterval(() => onProgress(writer.confirmed), PROGRESS_MS);
    try {
      await pipeline(source, writer, { signal });
    } finally {
      clearInterval(timer);
      onProgress?.(writer.confirmed);
    }
    const size = writer.offset;
    const after = await sftp.stat(absolute);
    // What an earlier, longer file left behind the end of a resumed one.
    if (after.size > size && after.isFile()) await sftp.setstat(absolute, { size });
    else if (after.size < size && after.isFile()) {
      throw new StorageError('failed', path, `only ${after.size} of ${size} bytes arrived`, {
        passing: true,
      });
    }
    if (executable && !(after.mode & 0o100)) {
      await sftp.chmod(absolute, (after.mode & 0o7777) | 0o100);
    }
    return size;
  }

  private async makeParent(sftp: Sftp, path: string): Promise<void> {
    const parent = parentOf(path);
    if (parent === '') return;
    const absolute = this.host.absolute(parent);
    if (await isDirectory(sftp, absolute)) return;
    await this.makeDirectory(sftp, parent, absolute).catch(async (error) => {
      throw await this.inTheWay(parent, error);
    });
  }

  /** Makes a directory and what is missing above it. Somebody else making it meanwhile is fine. */
  private async makeDirectory(sftp: Sftp, path: string, absolute: string): Promise<void> {
    try {
      await sftp.mkdir(absolute);
    } catch (error) {
      if (!isHostError(error, 'sftp')) throw error;
      if (await isDirectory(sftp, absolute)) return;
      if ((error as { reason?: string }).reason !== 'missing' || path === '') throw error;
      const parent = parentOf(path);
      await this.makeDirectory(sftp, parent, this.host.absolute(parent));
      await sftp.mkdir(absolute).catch(async (again) => {
        if (!(await isDirectory(sftp, absolute))) throw again;
      });
    }
  }

  /** Says which file stands where a directory should be, if that is why it failed. */
  private async inTheWay(path: string, error: unknown): Promise<unknown> {
    if (!isHostError(error, 'sftp') && !isStorageError(error)) return error;
    for (let at = path; at !== ''; at = parentOf(at)) {
      const entry = await this.stat(at).catch(() => undefined);
      if (entry && entry.type !== 'dir') {
        return new StorageError('not-directory', at, 'this is a file, not a directory', {
          cause: error,
        });
      }
    }
    return refusal(path, error);
  }

  /** Both ends of a move or copy as absolute paths, the parents of the new one made. */
  private async bothEnds(from: string, to: string, moving: boolean) {
    if (from === '' && moving) throw new StorageError('bad-path', from, 'the root cannot be moved');
    await this.stat(from, { follow: false });
    const there = await this.stat(to).catch((error) => {
      if (isStorageError(error, 'missing')) return undefined;
      throw error;
    });
    const target = there?.type === 'dir' ? joinPath(to, nameOf(from)) : to;
    if (target === from)
      throw new StorageError('same-path', from, 'source and destination are the same');
    if (isWithin(target, from)) {
      throw new StorageError('same-path', from, `it cannot be put into itself (${target})`);
    }
    const source = await this.host.checked(from, false);
    await this.host.checked(target, !moving);
    if (!there && parentOf(target)) await this.mkdir(parentOf(target));
    // The directory itself is named, not the place in it: what stands there already is then treated as mv and cp do.
    return { source, into: this.host.absolute(to), target };
  }

  private mustBeFile(entry: Entry): void {
    if (entry.type === 'file') return;
    if (entry.type === 'dir')
      throw new StorageError('is-directory', entry.path, 'this is a directory');
    throw new StorageError('special-file', entry.path, 'a device, pipe or socket has no content');
  }

  private async mustNotBeDirectory(path: string): Promise<void> {
    const there = await this.stat(path).catch((error) => {
      if (isStorageError(error, 'missing')) return undefined;
      throw error;
    });
    if (there) this.mustBeFile(there);
  }
}

async function isDirectory(sftp: Sftp, absolute: string): Promise<boolean> {
  return sftp.stat(absolute).then(
    (s) => s.isDirectory(),
    () => false,
  );
}
