import { takesEverything } from '@libs/jobs-model';
import type { Job, JobRow } from '@libs/jobs-store';
import { controlDir } from '@libs/job-runtimes';
import { platform } from '@libs/platform-name';

/**
 * skip: outputs stay and nothing is copied. in-place: the archive is the output directory itself. whole: the output
 * directory is copied as it is. selected: only some of it.
 */
export type ArchiveWay = 'skip' | 'in-place' | 'whole' | 'selected';

export function archiveWay(job: Job): ArchiveWay {
  if (job.archiveMode === 'NEVER' || job.remoteOutcome === 'FAILED_SKIP_ARCHIVE') return 'skip';
  if (isInPlace(job)) return 'in-place';
  // The launch's own folder is no output: if it lies in there, everything else is selected.
  const everything = takesEverything(job.definition.parameterSet.archiveFilter);
  const control = `${job.execSystemExecDir}/`.startsWith(
    `${job.execSystemOutputDir.replace(/\/$/, '')}/`,
  );
  return everything && !control ? 'whole' : 'selected';
}

export const isInPlace = (job: JobRow): boolean =>
  job.archiveSystemId === job.execSystemId && job.archiveSystemDir === job.execSystemOutputDir;

/** Names of the launch's own folders in any directory: the control folder, and the selection to archive. */
export const ownFolders = (uuid: string): { control: string; selection: string } => ({
  control: controlDir(uuid),
  selection: `${controlDir(uuid)}-archive`,
});

export const launchFiles = (): string[] => [platform().jobFile.script, platform().jobFile.env];
