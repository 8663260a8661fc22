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
  sharedAppCtx: string;
  sharedAppCtxAttribs: readonly string[];
}

interface OutputPlace {
  systemId: string;
  dir: string;
  /** Who shared the app that the place comes from. */
  sharedBy?: string;
}

/** Where a job's outputs are now: archived if that was done, else still on the execution system. */
export function outputPlace(job: OutputFacts): OutputPlace {
  const shared = (attribute: string) =>
    job.sharedAppCtxAttribs.includes(attribute) ? job.sharedAppCtx : undefined;
  const ended = job.status === 'FINISHED' || job.status === 'FAILED';
  const archived =
    ended &&
    job.archiveMode !== 'NEVER' &&
    job.remoteOutcome !== null &&
    job.remoteOutcome !== 'FAILED_SKIP_ARCHIVE';
  return archived
    ? {
        systemId: job.archiveSystemId,
        dir: job.archiveSystemDir,
        sharedBy: shared('SAC_ARCHIVE_SYSTEM_DIR'),
      }
    : {
        systemId: job.execSystemId,
        dir: job.execSystemOutputDir,
        sharedBy: shared('SAC_EXEC_SYSTEM_OUTPUT_DIR'),
      };
}

/** The place of a path inside the outputs; it can't lead out of them. */
export function outputPath(job: OutputFacts, path: string, allowIfRunning: boolean): OutputPlace {
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
  const place = outputPlace(job);
  return { ...place, dir: joinPath(place.dir, path) };
}
