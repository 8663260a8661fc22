import { platform } from '@libs/platform-name';
import type { VersionAttributes } from './app';

/**
 * What follows from other attributes, or is not known before the platform's name is, filled in: `archiveMode`, or what
 * its older form says (`archiveOnAppError: false` alone means SKIP_ON_FAIL, ruling 7), and no transfer node.
 */
export function completed<T extends VersionAttributes>(app: T): T {
  const job = app.jobAttributes;
  const { unset } = platform();
  const archiveMode =
    job.archiveMode ?? (job.archiveOnAppError === false ? 'SKIP_ON_FAIL' : 'ALWAYS');
  const jobAttributes = {
    ...job,
    dtnSystemInputDir: job.dtnSystemInputDir ?? unset,
    dtnSystemOutputDir: job.dtnSystemOutputDir ?? unset,
    archiveMode,
    archiveOnAppError: archiveMode === 'ALWAYS',
  };
  return { ...app, jobAttributes };
}
