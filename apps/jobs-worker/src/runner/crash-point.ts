import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { JobsWorkerSettings } from '../settings';

/**
 * For tests of recovery: ends the process by SIGKILL at a chosen point of a job's life. Once, if there is a mark, or if
 * the setting is `@` and the path of a file that holds the point: the file is read at each point and taken away by the
 * crash, so one running worker can be ended in many places.
 */
export class CrashPoint {
  private readonly file?: string;

  constructor(private readonly settings: JobsWorkerSettings) {
    const { crashAt, nodeEnv } = settings;
    if (crashAt && nodeEnv === 'production')
      throw new Error('CRASH_AT is for tests: it is refused when NODE_ENV is production');
    if (crashAt?.startsWith('@')) this.file = crashAt.slice(1);
    const when = this.file ? undefined : crashAt?.split(':')[1];
    if (when && when !== 'before-save')
      throw new Error(`CRASH_AT knows STATUS and STATUS:before-save, not :${when}`);
  }

  /** The job has just got into this status. */
  entered(status: string): void {
    if (this.point() === status) this.crash();
  }

  /** The work of this status is done, and nothing of it saved. */
  worked(status: string): void {
    if (this.point() === `${status}:before-save`) this.crash();
  }

  /** Statuses that must not be passed in one statement, so that the process can end in them. */
  stopsAt(status: string): boolean {
    return this.point()?.split(':')[0] === status;
  }

  private point(): string | undefined {
    if (!this.file) return this.settings.crashAt;
    return existsSync(this.file) ? readFileSync(this.file, 'utf8').trim() : undefined;
  }

  private crash(): void {
    const mark = this.settings.crashMark;
    if (mark && existsSync(mark)) return;
    if (mark) writeFileSync(mark, `${this.settings.crashAt}\n`);
    if (this.file) rmSync(this.file);
    process.kill(process.pid, 'SIGKILL');
  }
}
