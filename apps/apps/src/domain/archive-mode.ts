import type { VersionAttributes } from './app';

/** `archiveMode`, or what its older form says: `archiveOnAppError: false` alone means SKIP_ON_FAIL (ruling 7). */
export function withArchiveMode<T extends VersionAttributes>(app: T): T {
  const { archiveMode, archiveOnAppError } = app.jobAttributes;
  const mode = archiveMode ?? (archiveOnAppError === false ? 'SKIP_ON_FAIL' : 'ALWAYS');
  const jobAttributes = {
    ...app.jobAttributes,
    archiveMode: mode,
    archiveOnAppError: mode === 'ALWAYS',
  };
  return { ...app, jobAttributes };
}
