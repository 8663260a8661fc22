import { existsSync, statfsSync } from 'node:fs';

const SHARED_MEMORY = '/dev/shm';

/** A folder in memory with so much room, if there is one: then a transfer is measured and not the disk below it. */
export function memoryFolder(bytes: number): string | undefined {
  if (!existsSync(SHARED_MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return bavail * bsize >= bytes ? SHARED_MEMORY : undefined;
}
