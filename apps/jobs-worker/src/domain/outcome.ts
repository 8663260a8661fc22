import type { JobPatch, JobRow } from '@libs/jobs-store';

/** What a program's end means for its job. */
export function outcomeOf(
  job: Pick<JobRow, 'archiveMode' | 'remoteStarted'>,
  code: number,
  at: Date | undefined,
  now: Date,
): { patch: JobPatch; message: string } {
  const failed = job.archiveMode === 'ALWAYS' ? 'FAILED' : 'FAILED_SKIP_ARCHIVE';
  return {
    patch: {
      remoteOutcome: code === 0 ? 'FINISHED' : failed,
      remoteResultInfo: String(code),
      remoteEnded: plausible(at, job.remoteStarted, now),
    },
    message: `The application ended with exit code ${code}`,
  };
}

/** The host's own time of the end, as far as its clock can be right. */
function plausible(at: Date | undefined, started: Date | null, now: Date): Date {
  const earliest = started?.getTime() ?? 0;
  const time = at?.getTime() ?? now.getTime();
  return new Date(Math.min(Math.max(time, earliest), now.getTime()));
}
