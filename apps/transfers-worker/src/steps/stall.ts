import type { Readable } from 'node:stream';

export interface StallWatch {
  /** Rejects once nothing has come for the time; never resolves. */
  stalled: Promise<never>;
  end(): void;
}

/** The stream has to be on its way already: to watch it is to read it. */
export function watchStall(stream: Readable, ms: number, error: () => unknown): StallWatch {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const timer = setTimeout(() => reject(error()), ms);
  const moved = () => timer.refresh();
  stream.on('data', moved);
  const end = () => {
    clearTimeout(timer);
    stream.off('data', moved);
  };
  return { stalled: promise, end };
}
