import type { RuleGroup } from './rule-group';

const workingDirRules: RuleGroup = {
  reads: ['canExec', 'jobWorkingDir'],
  broken: ({ canExec, jobWorkingDir }) =>
    canExec && !jobWorkingDir
      ? ['SYSLIB_CANEXEC_NO_JOBWORKINGDIR_INPUT jobWorkingDir is required when canExec is true']
      : [],
};

const runtimeRules: RuleGroup = {
  reads: ['canExec', 'jobRuntimes'],
  broken: ({ canExec, jobRuntimes }) =>
    canExec && !jobRuntimes?.length
      ? [
          'SYSLIB_CANEXEC_NO_JOBRUNTIME_INPUT at least one of jobRuntimes is required when canExec is true',
        ]
      : [],
};

const dtnRules: RuleGroup = {
  reads: ['canExec', 'dtnSystemId'],
  broken: ({ canExec, dtnSystemId }) =>
    dtnSystemId && !canExec ? ['SYSLIB_DTN_CANEXEC_FALSE dtnSystemId needs canExec true'] : [],
};

const schedulerRules: RuleGroup = {
  reads: ['canRunBatch', 'batchScheduler'],
  broken: ({ canRunBatch, batchScheduler }) =>
    canRunBatch && !batchScheduler
      ? ['SYSLIB_ISBATCH_NOSCHED batchScheduler is required when canRunBatch is true']
      : [],
};

const queueRules: RuleGroup = {
  reads: ['canRunBatch', 'batchLogicalQueues', 'batchDefaultLogicalQueue'],
  broken({ canRunBatch, batchLogicalQueues: queues, batchDefaultLogicalQueue: usual }) {
    if (!canRunBatch) return [];
    if (!queues.length)
      return [
        'SYSLIB_ISBATCH_NOQUEUES at least one of batchLogicalQueues is required when canRunBatch is true',
        ...(usual ? [] : [NO_DEFAULT]),
      ];
    if (!usual) return [NO_DEFAULT];
    if (queues.some((q) => q.name === usual)) return [];
    return [
      `SYSLIB_ISBATCH_DEFAULTQ_NOTINLIST batchDefaultLogicalQueue "${usual}" is none of batchLogicalQueues`,
    ];
  },
};

const NO_DEFAULT =
  'SYSLIB_ISBATCH_NODEFAULTQ batchDefaultLogicalQueue is required when canRunBatch is true, unless there is exactly one queue';

/** What a system that executes jobs must say, and more if it does so in batches. */
export const execRules = [workingDirRules, runtimeRules, dtnRules, schedulerRules, queueRules];
