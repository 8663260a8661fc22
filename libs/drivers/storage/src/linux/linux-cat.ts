import type { WriteOptions } from '../store';
import { commandRefusal, type LinuxHost } from './linux-host';

const LOOK_MS = 1_000;

/**
 * Copies a file within one host, without its bytes leaving it; answers its size. A new file gets the mode that the
 * login's umask gives, as with every other way of storing.
 */
export async function catOnHost(
  host: LinuxHost,
  { path, source, target }: { path: string; source: string; target: string },
  { onProgress, signal }: WriteOptions,
): Promise<number> {
  signal?.throwIfAborted();
  const [from, to] = [host.quoted(source), host.quoted(target)];
  const command = await host.host.stream(`LC_ALL=C; export LC_ALL; cat -- ${from} > ${to}`);
  command.stdin.end();
  command.stdout.resume();
  const stop = () => command.kill();
  signal?.addEventListener('abort', stop, { once: true });
  const size = async () => (await host.sftp(path, (sftp) => sftp.stat(target))).size;
  const timer =
    onProgress && setInterval(() => void size().then(onProgress, () => undefined), LOOK_MS);
  try {
    const { code, stderr } = await command.done;
    if (code !== 0) throw commandRefusal(path, stderr);
    return await size();
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', stop);
  }
}
