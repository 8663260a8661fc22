import type { DeliveryTarget } from './subscription';

/** What a job was resolved to at submission, as far as nothing searches for it. Never changes afterwards. */
export interface JobDefinition {
  fileInputs: EffectiveFileInput[];
  parameterSet: EffectiveParameterSet;
  subscriptions: EffectiveSubscription[];
  /** The app as it was at submission: what the launch needs of it. */
  app: AppFacts;
  /** The logical queue of a BATCH job. */
  queue: QueueFacts | null;
  /** Facts of the execution system that macros and scripts were made with. */
  system: SystemFacts;
}

export interface EffectiveFileInput {
  name: string | null;
  description: string | null;
  envKey: string | null;
  autoMountLocal: boolean;
  sourceUrl: string;
  /** Normalised, relative to execSystemInputDir. */
  targetPath: string;
  notes: string | null;
  /** A source that is missing at transfer time is no error. */
  optional: boolean;
  srcSharedAppCtx: string;
  destSharedAppCtx: string;
}

/** One argument text; the words in it are found by `splitWords` when the script is written. */
export interface EffectiveArg {
  name: string | null;
  description: string | null;
  arg: string;
  notes: Record<string, unknown> | null;
}

export interface EffectiveEnvVariable {
  key: string;
  value: string;
  description: string | null;
  notes: Record<string, unknown> | null;
}

export interface ArchiveFilter {
  includes: string[];
  excludes: string[];
  includeLaunchFiles: boolean;
}

export interface LogConfig {
  stdoutFilename: string;
  stderrFilename: string;
}

export interface EffectiveParameterSet {
  appArgs: EffectiveArg[];
  containerArgs: EffectiveArg[];
  schedulerOptions: EffectiveArg[];
  /** Complete: also the variables of envKeys and the platform's own. Sorted by key. */
  envVariables: EffectiveEnvVariable[];
  archiveFilter: ArchiveFilter;
  logConfig: LogConfig;
}

export interface EffectiveSubscription {
  description: string | null;
  enabled: boolean;
  jobEventCategoryFilter: string;
  deliveryTargets: DeliveryTarget[];
  ttlMinutes: number;
}

export interface AppFacts {
  runtime: 'DOCKER' | 'SINGULARITY' | 'ZIP';
  runtimeVersion: string | null;
  runtimeOptions: string[];
  containerImage: string;
  maxJobs: number;
  maxJobsPerUser: number;
}

export interface QueueFacts {
  name: string;
  hpcQueueName: string;
  maxJobs: number;
  maxJobsPerUser: number;
}

export interface SystemFacts {
  rootDir: string;
  host: string;
  effectiveUserId: string;
  batchScheduler: string | null;
  batchSchedulerProfile: string | null;
  jobMaxJobs: number;
  jobMaxJobsPerUser: number;
}
