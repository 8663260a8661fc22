import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

const alive = new Set<string>();

/** A name for a worker of this process by which a later one can tell whether it still lives. */
export function workerName(): string {
  const name = `${hostname()} ${process.pid} ${randomUUID()}`;
  alive.add(name);
  return name;
}

/** True when the worker ran on this machine and its process is gone. About others nothing is known. */
export function isDead(name: string): boolean {
  const [host, pid] = name.split(' ');
  if (host !== hostname() || alive.has(name)) return false;
  // Our own number, but not our name: it was a process before us.
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
