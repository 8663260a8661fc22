// Runs in a thread of its own: copies large files between hosts. What it is told and tells is in pump-thread.ts.
import { parentPort } from 'node:worker_threads';
import { plainOf } from './host-error-plain';
import { HostPool } from './host-pool';
import type { ToMain, ToThread } from './pump-thread';
import { pumpFile, SourceFailed } from './sftp-pump';

const TELL_MS = 250;
const pool = new HostPool({ idleMs: 20_000 });
const running = new Map<number, AbortController>();
const tell = (message: ToMain) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  if ('abort' in message) running.get(message.id)?.abort();
  else void copy(message);
});

async function copy({ id, from, to, start }: Extract<ToThread, { from: object }>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  let last = Date.now();
  const onProgress = (stored: number) => {
    if (Date.now() - last < TELL_MS) return;
    last = Date.now();
    tell({ id, stored });
  };
  try {
    const source = await pool
      .host(from.login)
      .leaseSftp()
      .catch((error) => {
        throw new SourceFailed(error);
      });
    const end = await pool
      .host(to.login)
      .sftp((sftp) =>
        pumpFile(
          { sftp: source.sftp, path: from.path },
          { sftp, path: to.path },
          { start, onProgress, signal: stop.signal },
        ),
      )
      .finally(() => source.release());
    tell({ id, end });
  } catch (error) {
    tell({ id, error: plainOf(error) });
  } finally {
    running.delete(id);
  }
}
