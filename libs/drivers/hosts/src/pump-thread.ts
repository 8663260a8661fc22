import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorOf, type PlainError } from './host-error-plain';
import type { HostLogin } from './host-login';
import type { PumpOptions } from './sftp-pump';

type PlainLogin = Omit<HostLogin, 'onHostKey'>;
interface End {
  login: PlainLogin;
  path: string;
}

export type ToThread =
  { id: number; from: End; to: End; start?: number } | { id: number; abort: true };
export type ToMain = { id: number } & (
  { stored: number } | { end: number } | { error: PlainError }
);

interface Job {
  resolve: (end: number) => void;
  reject: (error: Error) => void;
  onProgress?: (stored: number) => void;
}

/** The thread is kept so long after its last copy. */
const IDLE_MS = 30_000;
const OWN_FILE = join(__dirname, 'pump-thread.worker.js');

/**
 * Copies large files between hosts in a thread of its own, with connections of its own: encrypting and decrypting them
 * holds up nothing else of the process, and collecting its garbage does not have to look at everything else's.
 */
export class PumpThread {
  private worker?: Worker;
  private readonly jobs = new Map<number, Job>();
  private next = 1;
  private idle?: NodeJS.Timeout;

  constructor(private readonly file = OWN_FILE) {}

  /** False where the program runs from its sources, which a thread cannot load. */
  get available(): boolean {
    return existsSync(this.file);
  }

  /** As `pumpFile`. */
  pump(from: End, to: End, { start, onProgress, signal }: PumpOptions): Promise<number> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    clearTimeout(this.idle);
    const worker = (this.worker ??= this.begin());
    const id = this.next++;
    const stop = () => worker.postMessage({ id, abort: true } satisfies ToThread);
    signal?.addEventListener('abort', stop, { once: true });
    return new Promise<number>((resolve, reject) => {
      this.jobs.set(id, { resolve, reject, onProgress });
      worker.ref();
      worker.postMessage({ id, from, to, start } satisfies ToThread);
    }).finally(() => {
      signal?.removeEventListener('abort', stop);
      this.jobs.delete(id);
      if (!this.jobs.size) this.rest();
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const worker = this.worker;
    this.worker = undefined;
    await worker?.terminate();
  }

  private begin(): Worker {
    const worker = new Worker(this.file, { name: 'pump', env: {}, argv: [], execArgv: [] });
    worker.on('message', (message: ToMain) => {
      const job = this.jobs.get(message.id);
      if ('stored' in message) job?.onProgress?.(message.stored);
      else if ('end' in message) job?.resolve(message.end);
      else job?.reject(errorOf(message.error));
    });
    const fail = (error: Error) => {
      if (this.worker === worker) this.worker = undefined;
      for (const job of this.jobs.values()) job.reject(error);
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread that copies has ended')));
    return worker;
  }

  private rest(): void {
    this.worker?.unref();
    this.idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }
}
