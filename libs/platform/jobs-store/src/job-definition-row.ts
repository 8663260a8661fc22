import type { JobDefinition } from '@libs/jobs-model';
import { Entity, PrimaryColumn } from 'typeorm';
import { Json, Text } from './column';
import type { JobRow } from './job-row';

/** What never changes and nothing searches: beside `jobs`, so that a move does not write it again. */
@Entity('job_definitions')
export class JobDefinitionRow {
  @PrimaryColumn({ type: 'text', name: 'job_uuid' }) jobUuid!: string;
  @Text() tenant!: string;
  @Json() definition!: JobDefinition;
  /** The request exactly as it was sent, for a resubmission. */
  @Text() request!: string;
}

/** A job with all that a worker needs to carry it on. */
export type Job = JobRow & { definition: JobDefinition };
