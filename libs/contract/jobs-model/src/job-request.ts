import type { PartialFilter, SharedAttributes } from './records';

/** A submission as it was sent, its shape checked. */
export interface JobRequestBody extends SharedAttributes {
  name: string;
  appId: string;
  appVersion: string;
  jobType?: 'FORK' | 'BATCH' | null;
  owner?: string | null;
  tenant?: string | null;
  parameterSet?: RequestedParameterSet | null;
  fileInputs?: RequestedFileInput[] | null;
  fileInputArrays?: RequestedFileInputArray[] | null;
  notes?: Record<string, unknown> | null;
}

export interface RequestedArg {
  name?: string | null;
  description?: string | null;
  include?: boolean | null;
  arg?: string | null;
  notes?: Record<string, unknown> | null;
}

export interface RequestedEnvVariable {
  key: string;
  value?: string | null;
  description?: string | null;
  include?: boolean | null;
  notes?: Record<string, unknown> | null;
}

export interface RequestedParameterSet {
  appArgs?: RequestedArg[] | null;
  containerArgs?: RequestedArg[] | null;
  schedulerOptions?: RequestedArg[] | null;
  envVariables?: RequestedEnvVariable[] | null;
  archiveFilter?: PartialFilter | null;
  logConfig?: { stdoutFilename: string; stderrFilename: string } | null;
}

export interface RequestedFileInput {
  name?: string | null;
  description?: string | null;
  envKey?: string | null;
  autoMountLocal?: boolean | null;
  sourceUrl?: string | null;
  targetPath?: string | null;
  notes?: unknown;
}

export interface RequestedFileInputArray {
  name?: string | null;
  description?: string | null;
  envKey?: string | null;
  sourceUrls?: string[] | null;
  targetDir?: string | null;
  notes?: unknown;
}
