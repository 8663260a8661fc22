import type { VersionAttributes } from './app';

/** The part of a system record that an app is checked against. */
export interface SystemFacts {
  id: string;
  canExec: boolean;
  canRunBatch?: boolean;
  batchLogicalQueues?: QueueFacts[];
}

export interface QueueFacts {
  name: string;
  minNodeCount?: number;
  maxNodeCount?: number;
  minCoresPerNode?: number;
  maxCoresPerNode?: number;
  minMemoryMB?: number;
  maxMemoryMB?: number;
  minMinutes?: number;
  maxMinutes?: number;
}

/** What the app asks of its execution system and that system does not give (systems-apps contract, 3.1). */
export function execSystemProblems(
  { jobType, jobAttributes: job }: VersionAttributes,
  system: SystemFacts,
): string[] {
  if (!system.canExec)
    return [
      `APPLIB_EXECSYS_NOT_EXEC system "${system.id}" does not execute jobs (canExec is false)`,
    ];
  if (jobType !== 'BATCH') return [];
  if (!system.canRunBatch)
    return [
      `APPLIB_EXECSYS_NOT_BATCH system "${system.id}" runs no batch jobs (canRunBatch is false)`,
    ];
  if (!job.execSystemLogicalQueue) return [];
  const queue = system.batchLogicalQueues?.find((q) => q.name === job.execSystemLogicalQueue);
  if (!queue)
    return [
      `APPLIB_EXECQ_NOT_FOUND system "${system.id}" has no logical queue "${job.execSystemLogicalQueue}"`,
    ];
  return [
    ...outside('nodeCount', job.nodeCount, queue.minNodeCount, queue.maxNodeCount, queue.name),
    ...outside(
      'coresPerNode',
      job.coresPerNode,
      queue.minCoresPerNode,
      queue.maxCoresPerNode,
      queue.name,
    ),
    ...outside('memoryMB', job.memoryMB, queue.minMemoryMB, queue.maxMemoryMB, queue.name),
    ...outside('maxMinutes', job.maxMinutes, queue.minMinutes, queue.maxMinutes, queue.name),
  ];
}

/** Only bounds above 0 count. */
function outside(field: string, value: number, min = 0, max = 0, queue: string): string[] {
  if (max > 0 && value > max)
    return [`APPLIB_EXECQ_LIMIT_HIGH ${field} ${value} is above the ${max} of queue "${queue}"`];
  if (min > 0 && value < min)
    return [`APPLIB_EXECQ_LIMIT_LOW ${field} ${value} is below the ${min} of queue "${queue}"`];
  return [];
}
