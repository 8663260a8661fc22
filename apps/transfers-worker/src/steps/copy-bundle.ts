import { pipeline } from 'node:stream/promises';
import { type BundleStore, StorageError } from '@libs/storage';
import type { ChildOutcome, ChildRow } from '@libs/transfers-store';
import type { StoreEnd } from '../clients/ends';
import { isHostAway } from './host-away';
import { watchStall } from './stall';

export interface BundleCopy {
  source: StoreEnd & { store: BundleStore };
  destination: StoreEnd & { store: BundleStore };
  destinationPath: string;
  files: ChildRow[];
  signal: AbortSignal;
  /** A stream in which nothing moves for so long is given up. */
  stallMs: number;
}

/**
 * Copies many small files as one tar stream from host to host and compares the size of each. Answers those that are
 * there for sure; none when a stream broke, because then an old file of the same size could pass for the new one.
 */
export async function copyBundle(copy: BundleCopy): Promise<ChildOutcome[]> {
  const { source, destination, destinationPath, files, signal, stallMs } = copy;
  const names = files.map((file) => file.path);
  const out = await source.on((s) => (s as BundleStore).bundleOut(source.path, names));
  let into;
  try {
    into = await destination.on((s) => (s as BundleStore).bundleIn(destinationPath));
  } catch (error) {
    out.abort();
    throw error;
  }
  const ended = [source.on(() => out.done), destination.on(() => into.done)];
  let watch;
  let stall: unknown;
  try {
    const flow = pipeline(out.stream, into.stream, { signal });
    // A stream over a lost connection may neither end nor fail: its command tells.
    flow.catch(() => undefined);
    watch = watchStall(out.stream, stallMs, () => {
      // Whoever takes no more is the one that hangs; else nothing comes.
      const [end, path] = into.stream.writableNeedDrain
        ? [destination, destinationPath]
        : [source, source.path];
      const text = `nothing moved for ${stallMs / 1000} seconds`;
      return (stall = end.problem(new StorageError('failed', path, text, { passing: true })));
    });
    await Promise.race([flow, watch.stalled, ...ended.map(failing)]);
    await Promise.race([Promise.all(ended), watch.stalled]);
  } catch (error) {
    out.abort();
    into.abort();
    const ends = await Promise.allSettled(ended);
    if (signal.aborted || stall) throw error;
    // What the hosts say tells more than that a stream ended early; the side that is not away was merely killed.
    const said = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason);
    throw said.find(isHostAway) ?? said[0] ?? error;
  } finally {
    watch?.end();
  }
  const sizes = await destination.on((s) => (s as BundleStore).sizes(destinationPath, names));
  return files
    .filter((file) => sizes.get(file.path) === file.totalBytes)
    .map((file) => ({ id: file.id, bytes: file.totalBytes }));
}

/**
 * The same copy without the files that would break its stream again: not readable, not writable, gone, or written to
 * since they were listed. Undefined when there is none, or nothing else.
 */
export async function withoutTrouble(copy: BundleCopy): Promise<BundleCopy | undefined> {
  const { source, destination, destinationPath, files } = copy;
  const names = files.map((file) => file.path);
  const [sizes, unread, unwritten] = await Promise.all([
    source.on((s) => (s as BundleStore).sizes(source.path, names)),
    source.on((s) => (s as BundleStore).refused(source.path, names, 'read')),
    destination.on((s) => (s as BundleStore).refused(destinationPath, names, 'write')),
  ]);
  const fine = files.filter(
    ({ path, totalBytes }) =>
      sizes.get(path) === totalBytes && !unread.has(path) && !unwritten.has(path),
  );
  return fine.length && fine.length < files.length ? { ...copy, files: fine } : undefined;
}

/** Rejects when the command fails, and never resolves. */
const failing = (done: Promise<void>): Promise<never> =>
  new Promise((_, reject) => done.catch(reject));
