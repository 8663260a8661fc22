import type { Quotas } from '@libs/jobs-store';
import type { Job } from '@libs/jobs-store';
import type { ExecSystem } from '../clients/exec-system';
import type { Step } from './step';

/** What limits the jobs beside this one, as the definitions are now. */
export function quotasOf({ definition, execSystemLogicalQueue }: Job, system: ExecSystem): Quotas {
  const queue = system.batchLogicalQueues?.find(({ name }) => name === execSystemLogicalQueue);
  return {
    system: system.jobMaxJobs,
    systemPerUser: system.jobMaxJobsPerUser,
    app: definition.app.maxJobs,
    appPerUser: definition.app.maxJobsPerUser,
    ...(queue && { queue: queue.maxJobs, queuePerUser: queue.maxJobsPerUser }),
  };
}

/** Lets the job in: its system and app are to be had, and the quotas have room. */
export const pending: Step = async (job, tools) => {
  const [{ system, launcher, plan }, enabled] = await Promise.all([
    tools.place(job),
    tools.apps.isEnabled(job),
  ]);
  if (!system.enabled)
    return { block: 'SYSTEM_NOT_AVAILABLE', text: `System ${system.id} is disabled` };
  if (!enabled) {
    const text = `App ${job.appId} ${job.appVersion} is disabled`;
    return { block: 'APPLICATION_NOT_AVAILABLE', text };
  }
  launcher.check(plan);
  const admitted = await tools.store.admit(job, quotasOf(job, system), {
    worker: job.claimedBy ?? undefined,
  });
  if (!admitted) return { to: 'PROCESSING_INPUTS' };
  if ('full' in admitted)
    return { block: 'QUOTA_EXCEEDED', key: job.execSystemId, text: `Waiting: ${admitted.full}` };
  return { moved: admitted.job };
};
