import { Choice, Flag, Items, Json, Part, Text, Whole } from '@libs/fields';
import { DELIVERY_METHODS, JOB_EVENT_CATEGORIES, type JobRequestBody } from '@libs/jobs-model';

const NAME = {
  min: 1,
  max: 80,
  match: /^[A-Za-z_]\w*$/,
  rule: 'must be a letter or _, then letters, digits, _',
};
const DESCRIPTION = { min: 1, max: 8096, multiline: true, optional: true } as const;
const DIRECTORY = { min: 1, max: 4096, optional: true } as const;
const URL_TEXT = { min: 1, max: 4096, trim: false } as const;
const SYSTEM = { min: 1, max: 80, optional: true } as const;
const optional = { optional: true } as const;
const COUNT = { min: 1, optional: true } as const;

export class ArgRequest {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text(DESCRIPTION) description?: string;
  @Flag(optional) include?: boolean;
  @Text({ min: 1, max: 32_768, trim: false, optional: true }) arg?: string;
  @Json(optional) notes?: Record<string, unknown>;
}

export class EnvVariableRequest {
  @Text({ min: 1, max: 256 }) key!: string;
  @Text({ min: 0, max: 32_768, trim: false }) value!: string;
  @Text(DESCRIPTION) description?: string;
  @Flag(optional) include?: boolean;
  @Json(optional) notes?: Record<string, unknown>;
}

export class ArchiveFilterRequest {
  @Items(String, { min: 1, max: 4096, unique: true, optional: true }) includes?: string[];
  @Items(String, { min: 1, max: 4096, unique: true, optional: true }) excludes?: string[];
  @Flag(optional) includeLaunchFiles?: boolean;
}

export class LogConfigRequest {
  @Text({ min: 1, max: 255 }) stdoutFilename!: string;
  @Text({ min: 1, max: 255 }) stderrFilename!: string;
}

export class ParameterSetRequest {
  @Items(ArgRequest, optional) appArgs?: ArgRequest[];
  @Items(ArgRequest, optional) containerArgs?: ArgRequest[];
  @Items(ArgRequest, optional) schedulerOptions?: ArgRequest[];
  @Items(EnvVariableRequest, optional) envVariables?: EnvVariableRequest[];
  @Part(ArchiveFilterRequest, optional) archiveFilter?: ArchiveFilterRequest;
  @Part(LogConfigRequest, optional) logConfig?: LogConfigRequest;
}

export class FileInputRequest {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text(DESCRIPTION) description?: string;
  @Text({ min: 1, max: 256, optional: true }) envKey?: string;
  @Flag(optional) autoMountLocal?: boolean;
  @Text({ ...URL_TEXT, optional: true }) sourceUrl?: string;
  @Text({ min: 0, max: 4096, optional: true }) targetPath?: string;
  @Json({ root: 'object-or-text', optional: true, description: 'JSON object, or its text' })
  notes?: unknown;
}

export class FileInputArrayRequest {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text(DESCRIPTION) description?: string;
  @Text({ min: 1, max: 256, optional: true }) envKey?: string;
  @Items(String, { ...URL_TEXT, optional: true }) sourceUrls?: string[];
  @Text({ min: 1, max: 4096, optional: true }) targetDir?: string;
  @Json({ root: 'object-or-text', optional: true, description: 'JSON object, or its text' })
  notes?: unknown;
}

export class DeliveryTargetRequest {
  @Choice(DELIVERY_METHODS) deliveryMethod!: (typeof DELIVERY_METHODS)[number];
  @Text({ min: 1, max: 2048 }) deliveryAddress!: string;
}

const CATEGORIES = [...JOB_EVENT_CATEGORIES, 'ALL'] as const;
type Category = (typeof CATEGORIES)[number];

export class SubscriptionRequest {
  @Text({ min: 1, max: 2048, multiline: true, optional: true }) description?: string;
  @Flag(optional) enabled?: boolean;
  @Choice(CATEGORIES, optional) jobEventCategoryFilter?: Category;
  @Choice(CATEGORIES, { optional: true, description: 'Older name of jobEventCategoryFilter' })
  eventCategoryFilter?: Category;
  @Items(DeliveryTargetRequest, { minItems: 1 }) deliveryTargets!: DeliveryTargetRequest[];
  @Whole({ min: 0, optional: true }) ttlMinutes?: number;
}

/** A job submission. What is left out comes from the app or the execution system. */
export class JobRequest implements JobRequestBody {
  @Text({ min: 1, max: 64, description: 'May hold macros' }) name!: string;
  @Text({ min: 1, max: 80 }) appId!: string;
  @Text({ min: 1, max: 64 }) appVersion!: string;
  @Choice(['FORK', 'BATCH'], optional) jobType?: 'FORK' | 'BATCH';
  @Text({ min: 1, max: 64, optional: true }) owner?: string;
  @Text({ min: 1, max: 24, optional: true }) tenant?: string;
  @Text({ min: 1, max: 2048, multiline: true, optional: true }) description?: string;
  @Flag({ ...optional, description: 'Deprecated: see archiveMode' }) archiveOnAppError?: boolean;
  @Choice(['ALWAYS', 'SKIP_ON_FAIL', 'NEVER'], optional) archiveMode?:
    'ALWAYS' | 'SKIP_ON_FAIL' | 'NEVER';
  @Flag({ ...optional, description: 'Only false is supported' }) dynamicExecSystem?: boolean;
  @Items(String, { ...optional, description: 'Not supported' }) execSystemConstraints?: string[];
  @Text(SYSTEM) execSystemId?: string;
  @Text(DIRECTORY) execSystemExecDir?: string;
  @Text(DIRECTORY) execSystemInputDir?: string;
  @Text(DIRECTORY) execSystemOutputDir?: string;
  @Text(SYSTEM) execSystemLogicalQueue?: string;
  @Text(SYSTEM) archiveSystemId?: string;
  @Text(DIRECTORY) archiveSystemDir?: string;
  @Text(DIRECTORY) dtnSystemInputDir?: string;
  @Text(DIRECTORY) dtnSystemOutputDir?: string;
  @Whole(COUNT) nodeCount?: number;
  @Whole(COUNT) coresPerNode?: number;
  @Whole(COUNT) memoryMB?: number;
  @Whole(COUNT) maxMinutes?: number;
  @Items(FileInputRequest, optional) fileInputs?: FileInputRequest[];
  @Items(FileInputArrayRequest, optional) fileInputArrays?: FileInputArrayRequest[];
  @Part(ParameterSetRequest, optional) parameterSet?: ParameterSetRequest;
  @Items(SubscriptionRequest, optional) subscriptions?: SubscriptionRequest[];
  @Items(String, { min: 1, max: 126, unique: true, optional: true }) tags?: string[];
  @Json(optional) notes?: Record<string, unknown>;
  @Flag(optional) isMpi?: boolean;
  @Text({ min: 1, max: 126, optional: true }) mpiCmd?: string;
  @Text({ min: 1, max: 1024, optional: true }) cmdPrefix?: string;
}
