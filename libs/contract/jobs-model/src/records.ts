import type { JobEventCategory } from './subscription';

/** The answer of the apps service, as far as a submission looks at it. Lists and texts may be null or absent. */
export interface AppRecord {
  id: string;
  version: string;
  enabled: boolean;
  versionEnabled: boolean;
  runtime: 'DOCKER' | 'SINGULARITY' | 'ZIP';
  runtimeVersion?: string | null;
  runtimeOptions?: string[] | null;
  containerImage: string;
  jobType?: 'FORK' | 'BATCH' | null;
  maxJobs?: number | null;
  maxJobsPerUser?: number | null;
  strictFileInputs?: boolean | null;
  /** Who shared the app with the caller. */
  sharedAppCtx?: string | null;
  notes?: Record<string, unknown> | null;
  jobAttributes?: AppJobAttributes | null;
}

export type InputMode = 'REQUIRED' | 'FIXED' | 'INCLUDE_ON_DEMAND' | 'INCLUDE_BY_DEFAULT';

export interface AppArg {
  name?: string | null;
  description?: string | null;
  inputMode?: InputMode | null;
  arg?: string | null;
  notes?: Record<string, unknown> | null;
}

export interface DefinedEnvVariable {
  key: string;
  value?: string | null;
  description?: string | null;
  inputMode?: InputMode | null;
  notes?: Record<string, unknown> | null;
}

export interface AppParameterSet {
  appArgs?: AppArg[] | null;
  containerArgs?: AppArg[] | null;
  schedulerOptions?: AppArg[] | null;
  envVariables?: DefinedEnvVariable[] | null;
  archiveFilter?: PartialFilter | null;
  logConfig?: { stdoutFilename?: string | null; stderrFilename?: string | null } | null;
}

export interface PartialFilter {
  includes?: string[] | null;
  excludes?: string[] | null;
  includeLaunchFiles?: boolean | null;
}

export type FileInputMode = 'REQUIRED' | 'OPTIONAL' | 'FIXED';

export interface AppFileInput {
  name: string;
  description?: string | null;
  inputMode?: FileInputMode | null;
  autoMountLocal?: boolean | null;
  envKey?: string | null;
  sourceUrl?: string | null;
  targetPath?: string | null;
  notes?: unknown;
}

export interface AppFileInputArray {
  name: string;
  description?: string | null;
  inputMode?: FileInputMode | null;
  envKey?: string | null;
  sourceUrls?: string[] | null;
  targetDir?: string | null;
  notes?: unknown;
}

export interface RequestedSubscription {
  description?: string | null;
  enabled?: boolean | null;
  jobEventCategoryFilter?: JobEventCategory | 'ALL' | null;
  /** An older name of the same. */
  eventCategoryFilter?: JobEventCategory | 'ALL' | null;
  deliveryTargets: { deliveryMethod: 'WEBHOOK' | 'EMAIL'; deliveryAddress: string }[];
  ttlMinutes?: number | null;
}

/** What an app and a request may both say of a job. */
export interface SharedAttributes {
  description?: string | null;
  archiveOnAppError?: boolean | null;
  archiveMode?: 'ALWAYS' | 'SKIP_ON_FAIL' | 'NEVER' | null;
  dynamicExecSystem?: boolean | null;
  execSystemConstraints?: string[] | null;
  execSystemId?: string | null;
  execSystemExecDir?: string | null;
  execSystemInputDir?: string | null;
  execSystemOutputDir?: string | null;
  execSystemLogicalQueue?: string | null;
  archiveSystemId?: string | null;
  archiveSystemDir?: string | null;
  dtnSystemInputDir?: string | null;
  dtnSystemOutputDir?: string | null;
  nodeCount?: number | null;
  coresPerNode?: number | null;
  memoryMB?: number | null;
  maxMinutes?: number | null;
  isMpi?: boolean | null;
  mpiCmd?: string | null;
  cmdPrefix?: string | null;
  tags?: string[] | null;
  subscriptions?: RequestedSubscription[] | null;
}

export interface AppJobAttributes extends SharedAttributes {
  parameterSet?: AppParameterSet | null;
  fileInputs?: AppFileInput[] | null;
  fileInputArrays?: AppFileInputArray[] | null;
}

/** The answer of the systems service, as far as a submission looks at it. */
export interface SystemRecord {
  id: string;
  systemType: string;
  enabled: boolean;
  host: string;
  rootDir?: string | null;
  bucketName?: string | null;
  effectiveUserId: string;
  canExec: boolean;
  canRunBatch?: boolean | null;
  enableCmdPrefix?: boolean | null;
  mpiCmd?: string | null;
  dtnSystemId?: string | null;
  jobWorkingDir?: string | null;
  jobRuntimes?: { runtimeType: string; version?: string | null }[] | null;
  jobEnvVariables?: DefinedEnvVariable[] | null;
  jobMaxJobs?: number | null;
  jobMaxJobsPerUser?: number | null;
  batchScheduler?: string | null;
  batchSchedulerProfile?: string | null;
  batchDefaultLogicalQueue?: string | null;
  batchLogicalQueues?: LogicalQueueRecord[] | null;
}

export interface LogicalQueueRecord {
  name: string;
  hpcQueueName: string;
  maxJobs?: number | null;
  maxJobsPerUser?: number | null;
  minNodeCount?: number | null;
  maxNodeCount?: number | null;
  minCoresPerNode?: number | null;
  maxCoresPerNode?: number | null;
  minMemoryMB?: number | null;
  maxMemoryMB?: number | null;
  minMinutes?: number | null;
  maxMinutes?: number | null;
  schedulerOptions?: AppArg[] | null;
}
