import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Who holds a job: this process, told apart from an earlier one of the same number. */
export const workerName = (): string =>
  `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;

/** Whether a worker of that name has died on this machine: then nobody needs to wait for its leases to run out. */
export function hasDied(worker: string, mine: string): boolean {
  const [host, pid] = worker.split(':');
  if (host !== mine.split(':')[0] || !pid) return false;
  // Another worker of this process, or an earlier process that had our number.
  if (Number(pid) === process.pid) return !LIVING.has(worker);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Workers of this process. */
export const LIVING = new Set<string>();
