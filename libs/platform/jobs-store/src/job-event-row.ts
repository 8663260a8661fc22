import type { JobEventCategory } from '@libs/jobs-model';
import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Json, optional, Text, Time } from './column';

/** One entry of a job's history. `id` grows with time within a job. */
@Entity('job_events')
@Index('job_events_of_job', ['jobUuid', 'id'])
export class JobEventRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id!: number;
  @Text() tenant!: string;
  @Text() jobUuid!: string;
  @Text() event!: JobEventCategory;
  @Text() eventDetail!: string;
  /** What is particular to this event; what every event says of its job is added when it is read. */
  @Json() data!: JobEventData;
  @Text(optional) othUuid!: string | null;
  @Time({ default: () => 'now()' }) created!: Date;
}

export interface JobEventData {
  message?: string;
  newJobStatus?: string;
  oldJobStatus?: string | null;
  [name: string]: unknown;
}
