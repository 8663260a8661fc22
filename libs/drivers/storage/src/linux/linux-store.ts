import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { type HostPool, pullFile, type Sftp, SourceFailed } from '@libs/hosts';
import { isWithin, joinPath, nameOf, parentOf } from '../paths';
import { isStorageError, StorageError } from '../storage-error';
import type {
  BundleStore,
  Capability,
  Entry,
  ReadAnswer,
  ReadRange,
  Store,
  StoreAddress,
  WalkEntry,
  WalkOptions,
  WriteOptions,
} from '../store';
import * as bundles from './linux-bundle';
import { catOnHost } from './linux-cat';
import { entryOf } from './linux-entry';
import { inTheWay, makeDirectory, makeParent } from './linux-directories';
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

  async realPath(path: string): Promise<string> {
    await this.host.checked(path);
    return this.host.realPath(path);
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
    await this.mustBeFile(entry);
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

  write(path: string, source: Readable, options: WriteOptions = {}): Promise<number> {
    return this.storing(path, options, async (sftp, absolute) => {
      const writer = sftp.writer(absolute, { start: options.resumeAt || undefined });
      const timer =
        options.onProgress && setInterval(() => options.onProgress!(writer.confirmed), PROGRESS_MS);
      try {
        await pipeline(source, writer, { signal: options.signal });
        return writer.offset;
      } finally {
        clearInterval(timer);
      }
    });
  }

  pull(from: Store, source: string, path: string, options: WriteOptions = {}) {
    if (!(from instanceof LinuxStore)) return undefined;
    return this.pullFrom(from, source, path, options);
  }

  async mkdir(path: string): Promise<void> {
    const absolute = await this.host.checked(path);
    try {
      await this.host.sftp(path, (sftp) => makeDirectory(this.host, sftp, path, absolute));
    } catch (error) {
      throw await inTheWay(this, path, error);
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

  refused(base: string, files: string[], to: 'read' | 'write'): Promise<Set<string>> {
    return bundles.refused(this.host, base, files, to);
  }

  private async pullFrom(
    from: LinuxStore,
    source: string,
    path: string,
    { resumeAt, ...options }: WriteOptions,
  ): Promise<number> {
    const entry = await from.stat(source).catch(blame);
    await this.mustBeFile(entry).catch(blame);
    const sourcePath = from.host.absolute(source);
    try {
      return await this.storing(path, options, (_, target) =>
        from.host.isSameLogin(this.host)
          ? catOnHost(this.host, { path, source: sourcePath, target }, options)
          : pullFile(
              { host: from.host.host, path: sourcePath },
              { host: this.host.host, path: target },
              { ...options, start: resumeAt, size: entry.size },
            ),
      );
    } catch (error) {
      if (error instanceof SourceFailed) blame(refusal(source, error.cause));
      throw error;
    }
  }

  /** What is done around every way of storing a file: parents before, size and mode after. */
  private async storing(
    path: string,
    { executable }: WriteOptions,
    pour: (sftp: Sftp, absolute: string) => Promise<number>,
  ): Promise<number> {
    if (path === '') throw new StorageError('is-directory', path, 'the root is a directory');
    const absolute = await this.host.checked(path);
    await this.mustNotBeDirectory(path);
    const { sftp, release } = await this.host.host.leaseSftp();
    try {
      await makeParent(this, sftp, path);
      const size = await pour(sftp, absolute);
      const after = await sftp.stat(absolute);
      if (after.isFile() && after.size < size) {
        const text = `only ${after.size} of ${size} bytes arrived`;
        throw new StorageError('failed', path, text, { passing: true });
      }
      // What an earlier, longer file left behind the end of a resumed one.
      if (after.isFile() && after.size > size) await sftp.setstat(absolute, { size });
      if (executable && !(after.mode & 0o100)) {
        await sftp.chmod(absolute, (after.mode & 0o7777) | 0o100);
      }
      return size;
    } catch (error) {
      throw refusal(path, error);
    } finally {
      release();
    }
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

  private async mustBeFile(entry: Entry): Promise<void> {
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
    if (there) await this.mustBeFile(there);
  }
}

function blame(error: unknown): never {
  throw new SourceFailed(error);
}
