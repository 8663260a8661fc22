import { Choice, Items, Json, Text, Whole } from '@libs/fields';
import { INPUT_MODES } from './job-env-variable';

export const UNLIMITED = 2_147_483_647;
const most = { optional: true, description: 'Absent: unlimited' };

/** An option that jobs on the queue give to the scheduler, unless app or request say otherwise. */
export class SchedulerOption {
  @Text({ max: 80 }) name!: string;
  @Text({ optional: true, max: 8096, multiline: true }) description?: string;
  @Choice(INPUT_MODES, { optional: true }) inputMode?: (typeof INPUT_MODES)[number];
  @Text({ optional: true, min: 1, max: 65_536, trim: false }) arg?: string;
  @Json({ optional: true }) notes?: Record<string, unknown>;
}

/** A queue of the batch scheduler under the name that jobs use. */
export class LogicalQueue {
  @Text({ max: 128 }) name!: string;
  @Text({ max: 128 }) hpcQueueName!: string;
  @Text({ optional: true, max: 2048 }) description?: string;
  @Whole({ default: UNLIMITED }) maxJobs!: number;
  @Whole({ default: UNLIMITED }) maxJobsPerUser!: number;
  @Whole({ default: 1 }) minNodeCount!: number;
  @Whole(most) maxNodeCount?: number;
  @Whole({ default: 1 }) minCoresPerNode!: number;
  @Whole(most) maxCoresPerNode?: number;
  @Whole({ default: 0 }) minMemoryMB!: number;
  @Whole(most) maxMemoryMB?: number;
  @Whole({ default: 0 }) minMinutes!: number;
  @Whole(most) maxMinutes?: number;
  @Items(SchedulerOption, { optional: true, unique: 'name' }) schedulerOptions?: SchedulerOption[];
}
