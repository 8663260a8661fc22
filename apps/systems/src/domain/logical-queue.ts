import { Text, Whole } from '@libs/fields';

export const UNLIMITED = 2_147_483_647;
const most = { optional: true, description: 'Absent: unlimited' };

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
}
