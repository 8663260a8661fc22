import { Writable } from 'node:stream';
import type { Sftp } from './sftp';
import { IN_FLIGHT, REQUEST_BYTES } from './sftp-reader';

/**
 * Writes a file in order with many requests in flight. `finish` comes after the host has confirmed every byte;
 * an existing file keeps its mode. Small chunks are gathered into full requests.
 */
export class SftpWriter extends Writable {
  private handle?: Buffer;
  private position: number;
  private readonly outstanding = new Set<number>();
  private gathered: Buffer[] = [];
  private gatheredBytes = 0;
  private failed?: Error;
  private resume?: (error?: Error) => void;

  constructor(
    private readonly sftp: Sftp,
    private readonly path: string,
    private readonly options: { start?: number; mode?: number } = {},
  ) {
    super({ highWaterMark: REQUEST_BYTES * 4 });
    this.position = options.start ?? 0;
  }

  /** Bytes handed to the host so far, counted from the start of the file. */
  get offset(): number {
    return this.position;
  }

  /** All bytes before this place are on the host. */
  get confirmed(): number {
    return Math.min(this.position, ...this.outstanding);
  }

  override _construct(done: (error?: Error | null) => void): void {
    const flags = this.options.start === undefined ? 'w' : 'r+';
    this.sftp.open(this.path, flags, this.options.mode ?? 0o666).then((handle) => {
      this.handle = handle;
      done();
    }, done);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.gathered.push(chunk);
    this.gatheredBytes += chunk.length;
    if (this.gatheredBytes >= REQUEST_BYTES) this.send(false);
    this.whenRoom(done, IN_FLIGHT);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.send(true);
    this.whenRoom((error) => {
      const handle = this.handle;
      this.handle = undefined;
      if (error || !handle) return done(error);
      // Some hosts tell of a full disk only now.
      this.sftp.close(handle).then(() => done(), done);
    }, 1);
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

  private send(all: boolean): void {
    if (!this.gatheredBytes || !this.handle) return;
    const data = this.gathered.length === 1 ? this.gathered[0]! : Buffer.concat(this.gathered);
    let at = 0;
    while (data.length - at >= REQUEST_BYTES || (all && at < data.length)) {
      const part = data.subarray(at, at + REQUEST_BYTES);
      at += part.length;
      const place = this.position;
      this.outstanding.add(place);
      this.sftp.write(this.handle, part, place).then(
        () => this.landed(place),
        (error) => this.landed(place, error),
      );
      this.position += part.length;
    }
    this.gathered = at < data.length ? [data.subarray(at)] : [];
    this.gatheredBytes = data.length - at;
  }

  private landed(place: number, error?: Error): void {
    // A failed request stays outstanding: nothing after it counts as stored.
    if (!error) this.outstanding.delete(place);
    this.failed ??= error;
    const resume = this.resume;
    if (!resume) {
      if (this.failed && !this.destroyed) this.destroy(this.failed);
      return;
    }
    this.resume = undefined;
    resume();
  }

  private whenRoom(done: (error?: Error) => void, limit: number): void {
    if (this.failed) return done(this.failed);
    if (this.outstanding.size < limit) return done();
    this.resume = () => this.whenRoom(done, limit);
  }
}
