import { HostPool } from './host-pool';

let shared: HostPool | undefined;
let users = 0;

/**
 * The pool of this process: services that run in one process share their connections, so a host sees no more of them
 * than its limit. Whoever takes it gives it back once; the last one closes it.
 */
export function sharedHostPool(): { pool: HostPool; release: () => Promise<void> } {
  const pool = (shared ??= new HostPool());
  users++;
  let released = false;
  return {
    pool,
    release: async () => {
      if (released) return;
      released = true;
      if (--users > 0) return;
      shared = undefined;
      await pool.close();
    },
  };
}
