import {
  Choice,
  DeepPartialType,
  Flag,
  IntersectionType,
  Items,
  Json,
  OmitType,
  Part,
  Text,
  Whole,
} from '@libs/fields';
import { STORAGE_TYPES, type StorageTypeName } from '@libs/storage';
import { Capability, JobRuntime } from './capability';
import { AUTHN_METHODS, Credential, type AuthnMethod } from './credential';
import { JobEnvVariable } from './job-env-variable';
import { LogicalQueue } from './logical-queue';
import { HOST, ID } from './names';

export const SYSTEM_TYPES = STORAGE_TYPES;
export type SystemType = StorageTypeName;
export const SCHEDULERS = ['SLURM', 'CONDOR', 'PBS', 'SGE', 'UGE', 'TORQUE'] as const;

/** What an update may change. */
export class ChangeableAttributes {
  @Text({ optional: true, max: 2048, multiline: true, search: true }) description?: string;
  @Text({ max: 256, ...HOST, search: true, summary: true }) host!: string;
  @Text({
    default: '${apiUserId}',
    min: 1,
    max: 60,
    search: true,
    summary: true,
    description: 'Login user: a name, ${apiUserId} or ${owner}',
  })
  effectiveUserId!: string;
  @Choice(AUTHN_METHODS, { search: true, summary: true }) defaultAuthnMethod!: AuthnMethod;
  @Whole({ default: -1, min: -1, max: 65_535, search: true }) port!: number;
  @Flag({ default: false, search: true }) useProxy!: boolean;
  @Text({ optional: true, max: 256, search: true }) proxyHost?: string;
  @Whole({ default: -1, min: -1, max: 65_535, search: true }) proxyPort!: number;
  @Text({ optional: true, max: 80, search: true }) dtnSystemId?: string;
  @Flag({ default: false, search: true }) canRunBatch!: boolean;
  @Flag({ default: false, search: true }) enableCmdPrefix!: boolean;
  @Flag({ default: false, search: true }) allowChildren!: boolean;
  @Text({ optional: true, min: 1, max: 126, search: true }) mpiCmd?: string;
  @Items(JobRuntime, { optional: true, minItems: 1, unique: true }) jobRuntimes?: JobRuntime[];
  @Text({ optional: true, min: 1, max: 4096, search: true }) jobWorkingDir?: string;
  @Items(JobEnvVariable, { default: [], unique: 'key' }) jobEnvVariables!: JobEnvVariable[];
  @Whole({ default: -1, search: true }) jobMaxJobs!: number;
  @Whole({ default: -1, search: true }) jobMaxJobsPerUser!: number;
  @Choice(SCHEDULERS, { optional: true, search: true })
  batchScheduler?: (typeof SCHEDULERS)[number];
  @Items(LogicalQueue, { default: [], unique: 'name' }) batchLogicalQueues!: LogicalQueue[];
  @Text({ optional: true, min: 1, max: 128, search: true }) batchDefaultLogicalQueue?: string;
  @Text({ optional: true, min: 1, max: 80, search: true }) batchSchedulerProfile?: string;
  @Items(Capability, { default: [], unique: true }) jobCapabilities!: Capability[];
  @Items(String, { default: [], unique: true, max: 128, search: true }) tags!: string[];
  @Json({ default: {} }) notes!: Record<string, unknown>;
  @Text({ optional: true, max: 256, search: true }) importRefId?: string;
}

/** What is fixed once a system is there. */
export class FixedAttributes {
  @Text({ max: 80, ...ID, search: true, summary: true }) id!: string;
  @Choice(SYSTEM_TYPES, { search: true, summary: true }) systemType!: SystemType;
  @Text({
    optional: true,
    max: 60,
    search: true,
    summary: true,
    description: 'Default: the caller',
  })
  owner?: string;
  @Flag({ default: true, search: true }) enabled!: boolean;
  @Text({ optional: true, max: 63, search: true }) bucketName?: string;
  @Text({
    default: '',
    max: 4096,
    search: true,
    description: 'Where paths begin; ${tenant}, ${owner}, ${apiUserId}, HOST_EVAL($VAR)',
  })
  rootDir!: string;
  @Flag({ search: true, summary: true }) canExec!: boolean;
}

/** A system without what the service keeps itself. */
export class SystemAttributes extends IntersectionType(FixedAttributes, ChangeableAttributes) {}

/** The body that creates a system. */
export class NewSystem extends SystemAttributes {
  @Part(Credential, {
    optional: true,
    description: 'Registered with the system, for its effective user',
  })
  authnCredential?: Credential;
}

export class SystemPatch extends DeepPartialType(ChangeableAttributes) {}

/** A full replacement; what is fixed or computed may be sent along and is ignored (systems-apps contract, 2.4). */
export class SystemPut extends OmitType(ChangeableAttributes, ['effectiveUserId']) {}

/** What a child system has of its own; all else is its parent's. */
export class NewChildSystem {
  @Text({ optional: true, min: 1, max: 80, ...ID, description: 'Default: parent id - caller' })
  id?: string;
  @Text({ optional: true, max: 60, description: 'Default: the caller' }) owner?: string;
  @Flag({ default: true }) enabled!: boolean;
  @Text({ optional: true, min: 1, max: 60, description: "Default: the parent's" })
  effectiveUserId?: string;
  @Text({ optional: true, min: 1, max: 4096, description: "Default: the parent's" })
  rootDir?: string;
}

/** Attributes of a fetched system that a replacement does not look at. */
export const NOT_REPLACED = [
  'id',
  'systemType',
  'owner',
  'enabled',
  'bucketName',
  'rootDir',
  'canExec',
  'effectiveUserId',
  'authnCredential',
  'tenant',
  'uuid',
  'deleted',
  'created',
  'updated',
  'parentId',
  'hostKeys',
  'hasCredentials',
  'isDynamicEffectiveUser',
  'isPublic',
  'sharedWithUsers',
];
