import type { Sftp } from './sftp';
import { IN_FLIGHT, REQUEST_BYTES } from './sftp-reader';

export interface PumpOptions {
  /** Where in both files to begin; what stands before it is kept. */
  start?: number;
  /** Called after each piece with the place up to which everything is stored. */
  onProgress?: (stored: number) => void;
  signal?: AbortSignal;
}

/** It was the reading side that failed, for the reason in `cause`. */
export class SourceFailed extends Error {
  constructor(cause: unknown) {
    super('the source failed', { cause });
  }
}

const blame = (error: unknown): never => {
  throw new SourceFailed(error);
};

/**
 * Copies a file from one SFTP session to another, many pieces at once and in no order, through buffers that are used
 * again and again; answers where it ended. With a `start` the destination must exist, and what it has beyond the end
 * of the source stays.
 */
export async function pumpFile(
  from: { sftp: Sftp; path: string },
  to: { sftp: Sftp; path: string },
  { start = 0, onProgress, signal }: PumpOptions = {},
): Promise<number> {
  const source = await from.sftp.open(from.path, 'r').catch(blame);
  let target: Buffer | undefined;
  let next = start;
  let end = Infinity;
  let failed = false;
  const open = new Set<number>();
  // Every lane has one buffer and takes the next piece that nobody has.
  const lane = async () => {
    const buffer = Buffer.allocUnsafeSlow(REQUEST_BYTES);
    while (next < end && !failed) {
      signal?.throwIfAborted();
      const place = next;
      next += REQUEST_BYTES;
      open.add(place);
      let got = 0;
      while (got < REQUEST_BYTES) {
        const room = got ? buffer.subarray(got) : buffer;
        const n = await from.sftp.read(source, room, REQUEST_BYTES - got, place + got).catch(blame);
        if (n === 0) break;
        got += n;
      }
      if (got)
        await to.sftp.write(target!, got < REQUEST_BYTES ? buffer.subarray(0, got) : buffer, place);
      if (got < REQUEST_BYTES) end = Math.min(end, place + got);
      open.delete(place);
      onProgress?.(Math.min(next, end, ...open));
    }
  };
  try {
    target = await to.sftp.open(to.path, start ? 'r+' : 'w');
    const size = (await from.sftp.fstat(source).catch(blame)).size - start;
    const lanes = Math.max(1, Math.min(IN_FLIGHT, Math.ceil(size / REQUEST_BYTES)));
    const results = await Promise.allSettled(
      Array.from({ length: lanes }, () =>
        lane().catch((error) => {
          failed = true;
          throw error;
        }),
      ),
    );
    const broken = results.find((r) => r.status === 'rejected');
    if (broken) throw broken.reason;
    // Some hosts tell of a full disk only now.
    const closing = target;
    target = undefined;
    await to.sftp.close(closing);
    return Math.max(start, end);
  } finally {
    await Promise.allSettled([
      from.sftp.closed ? undefined : from.sftp.close(source),
      target && !to.sftp.closed ? to.sftp.close(target) : undefined,
    ]);
  }
}
