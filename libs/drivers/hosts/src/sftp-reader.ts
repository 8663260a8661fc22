import { Readable } from 'node:stream';
import type { Sftp } from './sftp';

/** Measured best on OpenSSH: its largest request, 32 of them on the way. */
export const REQUEST_BYTES = 255 * 1024;
export const IN_FLIGHT = 32;

/** Reads a file in order with many requests in flight. A file that shrinks meanwhile ends early, without an error. Emits `open`. */
export class SftpReader extends Readable {
  private handle?: Buffer;
  private readonly end: number;
  private next: number;
  private wanted = false;
  private finished = false;
  /** Answers by their place in the file, in order; filled as they come. */
  private readonly queue: { data?: Buffer }[] = [];

  constructor(
    private readonly sftp: Sftp,
    private readonly path: string,
    range: { start?: number; end?: number } = {},
  ) {
    super({ highWaterMark: REQUEST_BYTES * 4 });
    this.next = range.start ?? 0;
    this.end = range.end ?? Infinity;
  }

  override _construct(done: (error?: Error | null) => void): void {
    this.sftp.open(this.path, 'r').then((handle) => {
      this.handle = handle;
      done();
      this.emit('open');
    }, done);
  }

  override _read(): void {
    this.wanted = true;
    this.drain();
    this.ask();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const handle = this.handle;
    this.handle = undefined;
    if (!handle || this.sftp.closed) return done(error);
    this.sftp.close(handle).then(
      () => done(error),
      () => done(error),
    );
  }

  private ask(): void {
    // Small files cost one request more than they have; so the window opens only as answers prove the file long.
    const window = this.next > REQUEST_BYTES * 4 ? IN_FLIGHT : 4;
    while (this.handle && !this.finished && this.queue.length < window && this.next < this.end) {
      const slot: { data?: Buffer } = {};
      this.queue.push(slot);
      const length = Math.min(REQUEST_BYTES, this.end - this.next);
      void this.fill(slot, this.next, length);
      this.next += length;
    }
    if (!this.queue.length && this.wanted) this.push(null);
  }

  private async fill(slot: { data?: Buffer }, position: number, length: number): Promise<void> {
    const buffer = Buffer.allocUnsafeSlow(length);
    let got = 0;
    try {
      // A server may answer less than asked without being at the end.
      while (got < length && this.handle) {
        const n = await this.sftp.read(
          this.handle,
          got ? buffer.subarray(got) : buffer,
          length - got,
          position + got,
        );
        if (n === 0) break;
        got += n;
      }
    } catch (error) {
      if (!this.destroyed) this.destroy(error as Error);
      return;
    }
    if (got < length) this.finished = true;
    slot.data = got === length ? buffer : buffer.subarray(0, got);
    this.drain();
    if (this.wanted) this.ask();
  }

  private drain(): void {
    while (this.wanted && this.queue[0]?.data) {
      const data = this.queue.shift()!.data!;
      if (data.length && !this.push(data)) this.wanted = false;
    }
  }
}
