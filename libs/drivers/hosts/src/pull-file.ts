import type { Host } from './host';
import { PumpThread } from './pump-thread';
import { pumpFile, type PumpOptions, SourceFailed } from './sftp-pump';

/** From here on a thread is worth its start. */
const LARGE = 32 * 1024 * 1024;
const thread = new PumpThread();

export interface PullOptions extends PumpOptions {
  /** As far as it is known; large files are copied in a thread of their own. */
  size?: number;
}

/** Copies a file from one host to another; answers where it ended. See `pumpFile`. */
export async function pullFile(
  from: { host: Host; path: string },
  to: { host: Host; path: string },
  { size = 0, ...options }: PullOptions = {},
): Promise<number> {
  if (size - (options.start ?? 0) >= LARGE && thread.available) {
    const source = await from.host.pinnedLogin().catch(blame);
    const target = await to.host.pinnedLogin();
    return thread.pump(
      { login: source, path: from.path },
      { login: target, path: to.path },
      options,
    );
  }
  const lease = await from.host.leaseSftp().catch(blame);
  try {
    return await to.host.sftp((sftp) =>
      pumpFile({ sftp: lease.sftp, path: from.path }, { sftp, path: to.path }, options),
    );
  } finally {
    lease.release();
  }
}

function blame(error: unknown): never {
  throw new SourceFailed(error);
}
