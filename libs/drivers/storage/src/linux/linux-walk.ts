import type { Sftp } from '@libs/hosts';
import { joinPath } from '../paths';
import { isStorageError, StorageError } from '../storage-error';
import type { Entry, WalkEntry, WalkOptions } from '../store';
import { entryOf } from './linux-entry';
import { type LinuxHost, refusal } from './linux-host';
import { hostTools } from './linux-tools';

export const MAX_DEPTH = 20;
const FORMAT = '%y %m %U %G %s %T@ %d %P\\0';
const SPECIAL = /^[bcps]$/;

/** Everything below a directory, by one `find` where the host has GNU's, else directory by directory. */
export async function* walkLinux(
  host: LinuxHost,
  start: Entry,
  options: WalkOptions,
): AsyncGenerator<WalkEntry> {
  const { maxDepth = MAX_DEPTH, followLinks = false, skipDangling = false } = options;
  // Where a link may lead out of the root every one must be looked at before it is followed.
  const oneByOne = host.jailed && followLinks;
  if (!oneByOne && (await hostTools(host.host)).has('find')) {
    yield* walkByFind(host, start.path, { maxDepth, followLinks, skipDangling });
  } else yield* walkBySftp(host, start.path, '', 0, { maxDepth, followLinks, skipDangling });
}

async function* walkByFind(
  host: LinuxHost,
  path: string,
  { maxDepth, followLinks: follow, skipDangling }: Required<WalkOptions>,
): AsyncGenerator<WalkEntry> {
  const links = follow ? '-L' : '-H';
  const where = `find ${links} ${host.quoted(host.absolute(path))} -mindepth 1 -maxdepth ${maxDepth + 1}`;
  const { stdout } = await host.run(path, `${where} -printf ${host.quoted(FORMAT)}`);
  for (const line of stdout.split('\0')) {
    if (line === '') continue;
    const found = /^(\S) (\d+) (\d+) (\d+) (\d+) (-?[\d.]+) (\d+) ([^]*)$/.exec(line);
    if (!found) throw new StorageError('failed', path, 'the host lists files in an unknown form');
    const [, type, mode, uid, gid, size, mtime, depth, relative] = found as unknown as string[];
    const full = joinPath(path, relative!);
    if (follow && /^[lNL?]$/.test(type!)) {
      if (skipDangling) continue;
      throw dangling(full);
    }
    const entry = entryOf(full, {
      mode: parseInt(mode!, 8) | modeOfType(type!),
      uid: Number(uid),
      gid: Number(gid),
      size: Number(size),
      mtime: Number(mtime),
    });
    const entered = entry.type === 'dir' && Number(depth) <= maxDepth;
    yield { ...entry, relative: relative!, entered };
  }
}

async function* walkBySftp(
  host: LinuxHost,
  path: string,
  relative: string,
  depth: number,
  options: Required<WalkOptions>,
): AsyncGenerator<WalkEntry> {
  const absolute = await host.checked(path);
  for (const { name, attributes } of await host.sftp(path, (sftp) => sftp.readdir(absolute))) {
    const full = joinPath(path, name);
    let entry = entryOf(full, attributes);
    if (entry.type === 'symbolic_link' && options.followLinks) {
      const target = await followed(host, full);
      if (!target && options.skipDangling) continue;
      if (!target) throw dangling(full);
      entry = target;
    }
    const below = joinPath(relative, name);
    const entered = entry.type === 'dir' && depth < options.maxDepth;
    yield { ...entry, relative: below, entered };
    if (entered) yield* walkBySftp(host, full, below, depth + 1, options);
  }
}

async function followed(host: LinuxHost, path: string): Promise<Entry | undefined> {
  const absolute = await host.checked(path);
  try {
    return entryOf(path, await host.host.sftp((sftp: Sftp) => sftp.stat(absolute)));
  } catch (error) {
    const refused = refusal(path, error);
    if (isStorageError(refused, 'missing')) return undefined;
    throw refused;
  }
}

function dangling(path: string): StorageError {
  return new StorageError('missing', path, 'the link leads nowhere');
}

function modeOfType(type: string): number {
  if (type === 'f') return 0o100000;
  if (type === 'd') return 0o040000;
  if (type === 'l') return 0o120000;
  return SPECIAL.test(type) ? 0o010000 : 0;
}
