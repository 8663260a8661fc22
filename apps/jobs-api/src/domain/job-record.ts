import { archiveOnAppError, type JobDefinition } from '@libs/jobs-model';
import { fieldsOf } from '@libs/fields';
import { platform } from '@libs/platform-name';
import { JobAttributes } from './job-attributes';

/** What is known of a job, all of it or the attributes that a list read. */
export interface KnownJob {
  archiveMode?: 'ALWAYS' | 'SKIP_ON_FAIL' | 'NEVER';
  definition?: JobDefinition;
  [attribute: string]: unknown;
}

/** Attributes that are not a column of their own, with what they are made of. */
const MADE_OF: Record<string, { from: string; make: (job: KnownJob) => unknown }> = {
  archiveOnAppError: { from: 'archiveMode', make: (job) => archiveOnAppError(job.archiveMode!) },
  dynamicExecSystem: { from: 'uuid', make: () => false },
  execSystemConstraints: { from: 'uuid', make: () => null },
  fileInputs: { from: 'definition', make: (job) => JSON.stringify(job.definition!.fileInputs) },
  parameterSet: { from: 'definition', make: (job) => JSON.stringify(job.definition!.parameterSet) },
  subscriptions: {
    from: 'definition',
    make: (job) => JSON.stringify(job.definition!.subscriptions),
  },
};

const ALL = fieldsOf(JobAttributes).map(({ name }) => name);

/** What has to be read of a job so that these attributes can be answered. */
export const attributesToRead = (select: readonly string[]): string[] => [
  ...new Set(select.map((name) => MADE_OF[name]?.from ?? name)),
];

/** A job, or the selected attributes of it, as clients see it. */
export function jobRecord(job: KnownJob, select: readonly string[] = ALL): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const name of select) {
    const value = MADE_OF[name] ? MADE_OF[name].make(job) : job[name];
    record[name] = value instanceof Date ? value.toISOString() : (value ?? null);
  }
  if (select === ALL) record[`${platform().lower}Queue`] = platform().queue('jobs.work');
  return record;
}
