import { BadInput } from '@libs/envelope';
import { JOB_STATES, type JobStatus } from '@libs/jobs-model';
import { climbs, hasControlCharacter, joinPath } from '@libs/macros';

interface OutputFacts {
  uuid: string;
  status: JobStatus;
  archiveMode: string;
  remoteOutcome: string | null;
  execSystemId: string;
  execSystemOutputDir: string;
  archiveSystemId: string;
  archiveSystemDir: string;
}

/** Where a job's outputs are now: archived if that was done, else still on the execution system. */
export function outputPlace(job: OutputFacts): { systemId: string; dir: string } {
  const ended = job.status === 'FINISHED' || job.status === 'FAILED';
  const archived =
    ended &&
    job.archiveMode !== 'NEVER' &&
    job.remoteOutcome !== null &&
    job.remoteOutcome !== 'FAILED_SKIP_ARCHIVE';
  return archived
    ? { systemId: job.archiveSystemId, dir: job.archiveSystemDir }
    : { systemId: job.execSystemId, dir: job.execSystemOutputDir };
}

/** The place of a path inside the outputs; it can't lead out of them. */
export function outputPath(job: OutputFacts, path: string, allowIfRunning: boolean) {
  if (!JOB_STATES.isTerminal(job.status) && !allowIfRunning) {
    throw new BadInput(
      'JOBS_JOB_NOT_TERMINATED',
      `job ${job.uuid} is ${job.status}; allowIfRunning shows outputs all the same`,
    );
  }
  if (climbs(path) || hasControlCharacter(path)) {
    throw new BadInput(
      'JOBS_INVALID_OUTPUT_PATH',
      `outputPath "${path}" holds ".." or a control character`,
    );
  }
  const { systemId, dir } = outputPlace(job);
  return { systemId, dir: joinPath(dir, path) };
}
