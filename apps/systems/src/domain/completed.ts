import { platform } from '@libs/platform-name';
import type { JobEnvVariable } from './job-env-variable';
import { UNLIMITED, type LogicalQueue } from './logical-queue';
import type { SystemAttributes } from './system';

/** What follows from other attributes filled in. Takes one that is not well-formed, too: then that stays as it is. */
export function completed<T extends SystemAttributes>(system: T): T {
  const queues = (system.batchLogicalQueues as LogicalQueue[] | undefined)?.map(withLimits);
  const only = queues?.length === 1 ? queues[0]?.name : undefined;
  return {
    ...system,
    jobEnvVariables: (system.jobEnvVariables as JobEnvVariable[] | undefined)?.map(withValue),
    batchLogicalQueues: queues,
    batchDefaultLogicalQueue: system.batchDefaultLogicalQueue ?? only,
  };
}

/** No value is the marker for one where jobs must give it, and an empty one elsewhere; FIXED must have its own. */
function withValue(variable: JobEnvVariable): JobEnvVariable {
  if (variable?.value !== undefined || variable?.inputMode === 'FIXED') return variable;
  return { ...variable, value: variable?.inputMode === 'REQUIRED' ? platform().unset : '' };
}

const withLimits = (queue: LogicalQueue): LogicalQueue => ({
  ...queue,
  maxJobs: queue?.maxJobs < 0 ? UNLIMITED : queue?.maxJobs,
  maxJobsPerUser: queue?.maxJobsPerUser < 0 ? UNLIMITED : queue?.maxJobsPerUser,
});
