import { SourceFailed } from '@libs/hosts';
import { joinPath, StorageError, type WriteOptions } from '@libs/storage';
import type { ChildRow } from '@libs/transfers-store';
import type { BothEnds, Ends, StoreEnd } from '../clients/ends';

export interface FileCopy {
  ends: BothEnds;
  destinationPath: string;
  child: ChildRow;
  signal: AbortSignal;
  onProgress: (stored: number) => void;
}

/** Starting again costs less than asking whether one may continue. */
const WORTH_RESUMING = 8 * 1024 * 1024;

/**
 * Copies one file through this process with many requests in flight and compares its size; answers the bytes. What an
 * earlier try stored is kept when the source has not been changed since.
 */
export async function copyFile(http: Ends['http'], copy: FileCopy): Promise<number> {
  const { ends, destinationPath, child, signal, onProgress } = copy;
  const { source, destination } = ends;
  const target = joinPath(destinationPath, child.path);
  const { executable } = child;
  if (typeof source === 'string') {
    const { stream, size } = await destination.on(() => http.read(source, signal));
    const options = { executable, onProgress, signal };
    const stored = await poured(stream, () =>
      destination.on((store) => store.write(target, stream, options)),
    );
    return sameSize(stored, size, target);
  }
  const path = joinPath(source.path, child.path);
  const now = await source.on((store) => store.stat(path));
  const unchanged =
    now.size === child.totalBytes &&
    now.lastModified?.getTime() === child.sourceModified?.getTime();
  const resumeAt =
    unchanged && child.bytesTransferred >= WORTH_RESUMING ? await kept(copy, target) : 0;
  const options = { executable, onProgress, signal, resumeAt };
  const stored = await moved(source, destination, path, target, options);
  // Whoever writes to the source meanwhile gets what was there when it was read; a shorter file is none of that.
  const after = stored === now.size ? now : await source.on((store) => store.stat(path));
  return sameSize(stored, after.size, target);
}

/** By the shortest way the two stores know, else as a stream. */
async function moved(
  source: StoreEnd,
  destination: StoreEnd,
  path: string,
  target: string,
  options: WriteOptions,
): Promise<number> {
  let broken: unknown;
  try {
    const pulled = destination.store.pull?.(source.store, path, target, options);
    if (pulled) return await pulled;
    const { stream } = await source.on((store) => store.read(path, { start: options.resumeAt }));
    stream.once('error', (error) => (broken = error));
    const stored = await destination
      .on((store) => store.write(target, stream, options))
      .finally(() => stream.destroy());
    return stored;
  } catch (error) {
    if (error instanceof SourceFailed) throw source.problem(error.cause);
    throw broken ? source.problem(broken) : destination.problem(error);
  }
}

/** How much of the file is at the destination for sure. */
async function kept({ child, ends }: FileCopy, target: string): Promise<number> {
  const there = await ends.destination.on((store) => store.stat(target)).catch(() => undefined);
  return there?.type === 'file' && there.size >= child.bytesTransferred
    ? child.bytesTransferred
    : 0;
}

async function poured<T>(stream: NodeJS.ReadableStream, work: () => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  stream.once('error', (error: Error) => (broken = error));
  try {
    return await work();
  } catch (error) {
    if (!broken || broken.name === 'AbortError') throw error;
    throw new StorageError('http', '', `the download broke off: ${broken.message}`, {
      cause: broken,
      passing: true,
    });
  }
}

function sameSize(stored: number, expected: number | null, target: string): number {
  if (expected === null || stored === expected) return stored;
  throw new StorageError('failed', target, `${stored} bytes arrived of ${expected}`, {
    passing: true,
  });
}
