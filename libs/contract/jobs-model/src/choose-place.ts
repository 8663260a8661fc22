import type { JobRequestBody } from './job-request';
import type { JobViolations } from './job-violations';
import { first, firstText } from './merge-text';
import type { AppRecord, LogicalQueueRecord, SystemRecord } from './records';

export interface Places {
  execSystemId: string | undefined;
  /** Undefined: outputs stay on the execution system. */
  archiveSystemId: string | undefined;
  /** Whether the id came from the app unchanged. */
  ofApp: { exec: boolean; archive: boolean };
}

/** Which systems a job needs: to be known before anything else can be resolved. */
export function placesOf(request: JobRequestBody, app: AppRecord): Places {
  const attributes = app.jobAttributes ?? {};
  return {
    execSystemId: firstText(request.execSystemId, attributes.execSystemId),
    archiveSystemId: firstText(request.archiveSystemId, attributes.archiveSystemId),
    ofApp: {
      exec: !firstText(request.execSystemId),
      archive: !firstText(request.archiveSystemId),
    },
  };
}

/** What the execution system has to be for any job. */
export function checkExecSystem(system: SystemRecord, v: JobViolations): void {
  const called = `execution system "${system.id}"`;
  v.check(system.enabled, 'JOBS_SYSTEM_NOT_AVAILABLE', `${called} is disabled`);
  v.check(
    system.canExec,
    'JOBS_INVALID_EXEC_SYSTEM',
    `${called} can't run jobs (canExec is false)`,
  );
  v.check(
    firstText(system.jobWorkingDir),
    'JOBS_EXEC_SYSTEM_NO_WORKING_DIR',
    `${called} has no jobWorkingDir`,
  );
  v.check(
    system.jobRuntimes?.length,
    'JOBS_EXEC_SYSTEM_NO_RUNTIME',
    `${called} has no jobRuntimes`,
  );
}

/** The request's type, else the app's, else what the execution system is made for. */
export function chooseJobType(
  request: JobRequestBody,
  app: AppRecord,
  system: SystemRecord,
  v: JobViolations,
): 'FORK' | 'BATCH' {
  const type = first(request.jobType, app.jobType) ?? (system.canRunBatch ? 'BATCH' : 'FORK');
  if (type !== 'BATCH') return type;
  const can = v.check(
    system.canRunBatch,
    'JOBS_INVALID_JOBTYPE',
    `jobType BATCH: execution system "${system.id}" can't run batch jobs (canRunBatch is false)`,
  );
  v.check(
    app.runtime !== 'DOCKER',
    'JOBS_INVALID_JOBTYPE',
    'jobType BATCH: DOCKER apps run only as FORK',
  );
  return can ? type : 'FORK';
}

export function chooseQueue(
  jobType: 'FORK' | 'BATCH',
  request: JobRequestBody,
  app: AppRecord,
  system: SystemRecord,
  v: JobViolations,
): LogicalQueueRecord | undefined {
  if (jobType === 'FORK') return undefined;
  const name = firstText(
    request.execSystemLogicalQueue,
    app.jobAttributes?.execSystemLogicalQueue,
    system.batchDefaultLogicalQueue,
  );
  if (!name) {
    v.add(
      'JOBS_NO_LOGICAL_QUEUE',
      `no logical queue is named, and system "${system.id}" has no default`,
    );
    return undefined;
  }
  const queue = system.batchLogicalQueues?.find((q) => q.name === name);
  v.check(
    queue,
    'JOBS_INVALID_LOGICAL_QUEUE',
    `execution system "${system.id}" has no logical queue "${name}"`,
  );
  return queue;
}

export interface Size {
  nodeCount: number;
  coresPerNode: number;
  memoryMB: number;
  maxMinutes: number;
}

const DEFAULT_SIZE: Size = { nodeCount: 1, coresPerNode: 1, memoryMB: 100, maxMinutes: 10 };
const LIMITS: Record<
  keyof Size,
  { code: string; field: 'NodeCount' | 'CoresPerNode' | 'MemoryMB' | 'Minutes' }
> = {
  nodeCount: { code: 'NODES', field: 'NodeCount' },
  coresPerNode: { code: 'CORES', field: 'CoresPerNode' },
  memoryMB: { code: 'MEMORY', field: 'MemoryMB' },
  maxMinutes: { code: 'MINUTES', field: 'Minutes' },
};
/** The largest number that a column or a client's 32-bit integer holds; also says "no limit". */
const NO_LIMIT = 2_147_483_647;

/** Nodes, cores, memory and minutes, inside the queue's bounds. A bound of 0, less or none is no bound. */
export function chooseSize(
  request: JobRequestBody,
  app: AppRecord,
  queue: LogicalQueueRecord | undefined,
  v: JobViolations,
): Size {
  const size = { ...DEFAULT_SIZE };
  for (const name of Object.keys(size) as (keyof Size)[]) {
    const value = first(request[name], app.jobAttributes?.[name]) ?? size[name];
    const { code, field } = LIMITS[name];
    size[name] = value;
    const whole = Number.isInteger(value) && value >= 1 && value <= NO_LIMIT;
    if (!v.check(whole, 'JOBS_INVALID_SIZE', `${name} ${value} is not a whole number from 1 on`))
      continue;
    const max = queue?.[`max${field}`] ?? 0;
    const min = queue?.[`min${field}`] ?? 0;
    const of = `queue "${queue?.name}"`;
    v.check(
      max <= 0 || value <= max,
      `JOBS_Q_EXCEEDED_MAX_${code}`,
      `${name} ${value} is more than the ${max} of ${of}`,
    );
    v.check(
      min <= 0 || value >= min,
      `JOBS_Q_MIN_${code}_ERROR`,
      `${name} ${value} is less than the ${min} of ${of}`,
    );
  }
  return size;
}

export interface Launcher {
  isMpi: boolean;
  mpiCmd: string | null;
  cmdPrefix: string | null;
}

/** What stands before the program in the launch command. */
export function chooseLauncher(
  request: JobRequestBody,
  app: AppRecord,
  system: SystemRecord,
  v: JobViolations,
): Launcher {
  const attributes = app.jobAttributes ?? {};
  const isMpi = first(request.isMpi, attributes.isMpi) ?? false;
  const cmdPrefix = firstText(request.cmdPrefix, attributes.cmdPrefix) ?? null;
  const mpiCmd = isMpi
    ? (firstText(request.mpiCmd, attributes.mpiCmd, system.mpiCmd) ?? null)
    : null;
  if (isMpi) {
    v.check(
      mpiCmd,
      'JOBS_MISSING_MPI_CMD',
      'isMpi is set, and neither request, app nor system has an mpiCmd',
    );
    v.check(!cmdPrefix, 'JOBS_MPI_CMD_CONFLICT', 'isMpi and cmdPrefix exclude each other');
  }
  if (cmdPrefix) {
    v.check(
      system.enableCmdPrefix,
      'JOBS_CMD_PREFIX_NOT_ENABLED_FOR_SYSTEM',
      `execution system "${system.id}" does not allow a cmdPrefix`,
    );
  }
  return { isMpi, mpiCmd, cmdPrefix };
}
