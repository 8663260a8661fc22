import { isHostError, type Sftp } from '@libs/hosts';
import { parentOf } from '../paths';
import { isStorageError, StorageError } from '../storage-error';
import { type LinuxHost, refusal } from './linux-host';
import type { LinuxStore } from './linux-store';

/** Makes a directory and what is missing above it. Somebody else making it meanwhile is fine. */
export async function makeDirectory(
  host: LinuxHost,
  sftp: Sftp,
  path: string,
  absolute: string,
): Promise<void> {
  try {
    await sftp.mkdir(absolute);
  } catch (error) {
    if (!isHostError(error, 'sftp')) throw error;
    if (await isDirectory(sftp, absolute)) return;
    if ((error as { reason?: string }).reason !== 'missing' || path === '') throw error;
    const parent = parentOf(path);
    await makeDirectory(host, sftp, parent, host.absolute(parent));
    await sftp.mkdir(absolute).catch(async (again) => {
      if (!(await isDirectory(sftp, absolute))) throw again;
    });
  }
}

/** Makes the directory that a file is to be stored in. */
export async function makeParent(store: LinuxStore, sftp: Sftp, path: string): Promise<void> {
  const parent = parentOf(path);
  if (parent === '') return;
  const absolute = store.host.absolute(parent);
  if (await isDirectory(sftp, absolute)) return;
  await makeDirectory(store.host, sftp, parent, absolute).catch(async (error) => {
    throw await inTheWay(store, parent, error);
  });
}

/** Says which file stands where a directory should be, if that is why it failed. */
export async function inTheWay(store: LinuxStore, path: string, error: unknown): Promise<unknown> {
  if (!isHostError(error, 'sftp') && !isStorageError(error)) return error;
  for (let at = path; at !== ''; at = parentOf(at)) {
    const entry = await store.stat(at).catch(() => undefined);
    if (entry && entry.type !== 'dir') {
      const text = 'this is a file, not a directory';
      return new StorageError('not-directory', at, text, { cause: error });
    }
  }
  return refusal(path, error);
}

async function isDirectory(sftp: Sftp, absolute: string): Promise<boolean> {
  return sftp.stat(absolute).then(
    (s) => s.isDirectory(),
    () => false,
  );
}
