import type { JobDefinition } from './job-definition';
import type { AppRecord, LogicalQueueRecord, SystemRecord } from './records';

/** What the worker needs of app, queue and system, as they were at submission. */
export const factsOf = (
  app: AppRecord,
  system: SystemRecord,
  queue: LogicalQueueRecord | undefined,
  profile: string | undefined,
): Pick<JobDefinition, 'app' | 'queue' | 'system'> => ({
  app: {
    runtime: app.runtime,
    runtimeVersion: app.runtimeVersion ?? null,
    runtimeOptions: app.runtimeOptions ?? [],
    containerImage: app.containerImage,
    maxJobs: app.maxJobs ?? -1,
    maxJobsPerUser: app.maxJobsPerUser ?? -1,
  },
  queue: queue
    ? {
        name: queue.name,
        hpcQueueName: queue.hpcQueueName,
        maxJobs: queue.maxJobs ?? -1,
        maxJobsPerUser: queue.maxJobsPerUser ?? -1,
      }
    : null,
  system: {
    rootDir: system.rootDir || '/',
    host: system.host,
    effectiveUserId: system.effectiveUserId,
    batchScheduler: system.batchScheduler ?? null,
    batchSchedulerProfile: profile ?? system.batchSchedulerProfile ?? null,
    jobMaxJobs: system.jobMaxJobs ?? -1,
    jobMaxJobsPerUser: system.jobMaxJobsPerUser ?? -1,
  },
});
