import type { JobRequestBody } from './job-request';
import type { AppRecord, SharedAttributes } from './records';

export type ArchiveMode = 'ALWAYS' | 'SKIP_ON_FAIL' | 'NEVER';

/** What one of the two says; archiveMode wins over the old archiveOnAppError beside it. */
function said({ archiveMode, archiveOnAppError }: SharedAttributes): ArchiveMode | undefined {
  if (archiveMode) return archiveMode;
  if (archiveOnAppError == null) return undefined;
  return archiveOnAppError ? 'ALWAYS' : 'SKIP_ON_FAIL';
}

export const chooseArchiveMode = (request: JobRequestBody, app: AppRecord): ArchiveMode =>
  said(request) ?? said(app.jobAttributes ?? {}) ?? 'ALWAYS';

/** The old flag as it follows from the mode. */
export const archiveOnAppError = (mode: ArchiveMode): boolean => mode === 'ALWAYS';
