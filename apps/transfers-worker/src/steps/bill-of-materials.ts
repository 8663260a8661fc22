import { BadInput, isApiError, NotFound } from '@libs/envelope';
import { fileUri } from '@libs/files-access';
import { joinPath, MAX_DEPTH, nameOf, StorageError, type WalkEntry } from '@libs/storage';
import type { NewChild } from '@libs/transfers-store';
import type { BothEnds, StoreEnd } from '../clients/ends';

export interface BillOfMaterials {
  /** Where the element itself goes; its files lie below, or it is the one file. */
  destinationPath: string;
  /** The source is a directory, which is made at the destination even when it is empty. */
  directory: boolean;
  children: NewChild[];
}

/** Lists what an element has to copy. Links are followed; one that leads nowhere is an error. */
export async function billOfMaterials(
  { source, destination }: BothEnds,
  maxCount: number,
): Promise<BillOfMaterials> {
  if (typeof source === 'string') {
    const destinationPath = fileAt(destination, nameOfUrl(source));
    return { destinationPath, directory: false, children: [file('', 0, false, null)] };
  }
  const start = await sourceEntry(source);
  if (start.type !== 'dir') {
    const { size, executable, lastModified } = start;
    const destinationPath = fileAt(destination, start.name);
    return {
      destinationPath,
      directory: false,
      children: [file('', size, executable, lastModified)],
    };
  }
  const children: NewChild[] = [];
  await source.on(async (store) => {
    for await (const entry of store.walk(source.path, { followLinks: true })) {
      if (children.length >= maxCount) {
        throw new BadInput(
          'FILES_TXFR_TOO_MANY',
          `${fileUri(source.place.systemId, source.path)} holds more than ${maxCount} files and directories`,
        );
      }
      children.push(child(entry));
    }
  });
  return { destinationPath: destination.path, directory: true, children };
}

function child(entry: WalkEntry): NewChild {
  const { relative, size, executable, lastModified, type, path, entered } = entry;
  if (type === 'dir') {
    if (entered) return { ...file(relative, 0, false, null), dir: true };
    throw new StorageError('failed', path, `the tree is deeper than ${MAX_DEPTH} levels`);
  }
  if (type === 'file') return file(relative, size, executable, lastModified);
  throw new StorageError('special-file', path, 'a device, pipe or socket cannot be transferred');
}

async function sourceEntry(source: StoreEnd) {
  try {
    const entry = await source.on((store) => store.stat(source.path));
    if (entry.type === 'file' || entry.type === 'dir') return entry;
    throw source.problem(
      new StorageError(
        'special-file',
        source.path,
        'a device, pipe or socket cannot be transferred',
      ),
    );
  } catch (error) {
    if (!isApiError(error, 404) || error.code !== 'FILES_PATH_NOT_FOUND') throw error;
    const uri = fileUri(source.place.systemId, source.path);
    throw new NotFound('FILES_TXFR_SVC_SRCPATH_NOTFOUND', `the source ${uri} does not exist`);
  }
}

/** A single file goes to the destination exactly, or below it when that ends in a slash. */
function fileAt({ path, folder }: StoreEnd, name: string): string {
  return folder ? joinPath(path, name) : path;
}

function nameOfUrl(url: string): string {
  const last = nameOf(new URL(url).pathname);
  try {
    return nameOf(decodeURIComponent(last)) || 'download';
  } catch {
    return last || 'download';
  }
}

function file(
  path: string,
  totalBytes: number,
  executable: boolean,
  sourceModified: Date | null,
): NewChild {
  return { path, totalBytes, dir: false, executable, sourceModified };
}
