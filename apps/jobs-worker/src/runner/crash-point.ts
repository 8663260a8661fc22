import { existsSync, writeFileSync } from 'node:fs';
import type { JobsWorkerSettings } from '../settings';

/** For tests of recovery: ends the process by SIGKILL at a chosen point of a job's life. Once, if there is a mark. */
export class CrashPoint {
  private readonly status?: string;
  private readonly beforeSave: boolean;

  constructor(private readonly settings: JobsWorkerSettings) {
    const [status, when] = (settings.crashAt ?? '').split(':');
    if (status && settings.nodeEnv === 'production')
      throw new Error('CRASH_AT is for tests: it is refused when NODE_ENV is production');
    if (when && when !== 'before-save')
      throw new Error(`CRASH_AT knows STATUS and STATUS:before-save, not :${when}`);
    this.status = status || undefined;
    this.beforeSave = when === 'before-save';
  }

  /** The job has just got into this status. */
  entered(status: string): void {
    if (status === this.status && !this.beforeSave) this.crash();
  }

  /** The work of this status is done, and nothing of it saved. */
  worked(status: string): void {
    if (status === this.status && this.beforeSave) this.crash();
  }

  /** Statuses that must not be passed in one statement, so that the process can end in them. */
  stopsAt(status: string): boolean {
    return status === this.status;
  }

  private crash(): void {
    const mark = this.settings.crashMark;
    if (mark && existsSync(mark)) return;
    if (mark) writeFileSync(mark, `${this.settings.crashAt}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
}
