import { spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** True when that process lives and its command line contains the mark: process numbers are used again. */
export function isRunning(pid: number, mark: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return commandLine(pid).includes(mark);
}

function commandLine(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).stdout ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** True while the process has children; where nothing tells, it has none. */
export function hasChildren(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '';
  } catch {
    return false;
  }
}

/** Ends a process of an earlier start, if it is still the one that the mark tells. */
export async function endProcess(pid: number, mark: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGTERM', 3000],
    ['SIGKILL', 1000],
  ] as const) {
    if (!isRunning(pid, mark)) return;
    process.kill(pid, signal);
    for (const until = Date.now() + patience; Date.now() < until; await pause(20))
      if (!isRunning(pid, mark)) return;
  }
}

/** Asks a child to end, and makes it when its time is over. */
export async function endChild(child: ChildProcess, patience: number): Promise<void> {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), patience);
  await ended;
  clearTimeout(force);
}

/** Ends a child at once; resolves when it is gone. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
}

/** True once the child takes connections there; false when it ends first or the time is over. */
export async function answers(
  child: ChildProcess,
  host: string,
  port: number,
  patience: number,
): Promise<boolean> {
  let ended = false;
  child.once('exit', () => (ended = true)).once('error', () => (ended = true));
  for (const until = Date.now() + patience; !ended && Date.now() < until; await pause(15))
    if (await accepts(host, port)) return true;
  return false;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port });
    socket.once('connect', () => (socket.destroy(), done(true)));
    socket.once('error', () => done(false));
  });
}
