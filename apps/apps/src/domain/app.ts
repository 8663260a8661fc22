import { Choice, Flag, Items, Json, OmitType, Part, Text, Whole } from '@libs/fields';
import { JobAttributes } from './job-attributes';
import { ID } from './names';

export const RUNTIMES = ['DOCKER', 'SINGULARITY', 'ZIP'] as const;
export const RUNTIME_OPTIONS = ['NONE', 'SINGULARITY_RUN'] as const;
export const JOB_TYPES = ['FORK', 'BATCH'] as const;

/** What a version of an app says of itself; everything here may differ from version to version. */
export class VersionAttributes {
  @Text({ optional: true, max: 2048, multiline: true, search: true }) description?: string;
  @Choice(RUNTIMES, { default: 'DOCKER', search: true }) runtime!: (typeof RUNTIMES)[number];
  @Text({ optional: true, max: 128, search: true }) runtimeVersion?: string;
  @Items(RUNTIME_OPTIONS, { default: ['NONE'], unique: true }) runtimeOptions!: string[];
  @Text({
    max: 4096,
    search: true,
    description: 'Image reference; for ZIP an absolute path or a URL',
  })
  containerImage!: string;
  @Choice(JOB_TYPES, { default: 'FORK', nullable: true, search: true })
  jobType!: (typeof JOB_TYPES)[number] | null;
  @Whole({
    default: -1,
    search: true,
    description: 'Jobs of the app per execution system; -1 unlimited',
  })
  maxJobs!: number;
  @Whole({ default: -1, search: true, description: 'The same per job owner' })
  maxJobsPerUser!: number;
  @Flag({
    default: false,
    search: true,
    description: 'Job requests may use named file inputs only',
  })
  strictFileInputs!: boolean;
  @Part(JobAttributes, { default: {} }) jobAttributes!: JobAttributes;
  @Items(String, { default: [], unique: true, max: 128, search: true }) tags!: string[];
  @Json({ default: {} }) notes!: Record<string, unknown>;
}

/** The body that creates a version, and with the first one the app. */
export class NewApp extends VersionAttributes {
  @Text({ max: 80, ...ID, search: true, summary: true }) id!: string;
  @Text({ max: 64, ...ID, search: true, summary: true }) version!: string;
  @Text({
    optional: true,
    max: 60,
    search: true,
    summary: true,
    description: 'Default: the caller',
  })
  owner?: string;
  @Flag({ default: true, search: true, description: 'Of the app: all its versions' })
  enabled!: boolean;
  @Flag({ default: true, search: true }) versionEnabled!: boolean;
  @Flag({ default: false, search: true, description: 'A locked version is never changed' })
  locked!: boolean;
}

/** Attributes of a fetched version that a replacement does not look at (systems-apps contract, 3.2). */
export const NOT_REPLACED = [
  'id',
  'version',
  'owner',
  'enabled',
  'versionEnabled',
  'locked',
  'tenant',
  'uuid',
  'deleted',
  'created',
  'updated',
  'isPublic',
  'sharedWithUsers',
  'sharedAppCtx',
];

/** What a list may select, order by and search for. */
export class AppRecord extends OmitType(NewApp, []) {
  @Text({ search: true }) tenant!: string;
  @Text({ search: true }) uuid!: string;
  @Flag({ search: true }) deleted!: boolean;
}
