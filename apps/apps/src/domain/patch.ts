import { DeepPartialType } from '@libs/fields';
import { VersionAttributes } from './app';
import { completed } from './completed';
import type { JobAttributes } from './job-attributes';
import type { ParameterSet } from './parameter-set';

/** What a PATCH may say: any attribute of a version, and within jobAttributes only what changes. */
export class VersionPatch extends DeepPartialType(VersionAttributes) {}

/** The version with the patch merged in: objects field by field, lists replaced whole. */
export function merged(now: VersionAttributes, patch: VersionPatch): VersionAttributes {
  const { jobAttributes, ...rest } = patch as Partial<VersionAttributes>;
  const job: Partial<JobAttributes> = jobAttributes ?? {};
  const set: Partial<ParameterSet> = job.parameterSet ?? {};
  const before = now.jobAttributes;
  const parameterSet = {
    ...before.parameterSet,
    ...set,
    archiveFilter: { ...before.parameterSet.archiveFilter, ...set.archiveFilter },
    ...(set.logConfig ? { logConfig: { ...before.parameterSet.logConfig, ...set.logConfig } } : {}),
  };
  const older = job.archiveMode === undefined && job.archiveOnAppError !== undefined;
  const jobs = { ...before, ...job, parameterSet, ...(older ? { archiveMode: undefined } : {}) };
  return completed({ ...now, ...rest, jobAttributes: jobs });
}
