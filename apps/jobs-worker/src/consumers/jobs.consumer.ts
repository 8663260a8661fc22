import { jobsCancel, jobsWork, type PayloadOf, transfersEnded } from '@libs/messages';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { Runner } from '../runner/runner';
import { jobOfTag } from '../steps/transfer';

/** Messages say that there is something to do; the runner looks into the database for what that is. */
@Controller()
export class JobsConsumer {
  constructor(private readonly runner: Runner) {}

  // More than are worked on at once: some of them may turn out to be nothing.
  @EventPattern(jobsWork, { prefetch: 64 })
  work(@Payload() { uuid }: PayloadOf<typeof jobsWork>): Promise<void> {
    return this.runner.wake(uuid);
  }

  /** Every worker hears it: one of them holds the job. */
  @EventPattern(jobsCancel)
  async cancel(@Payload() { uuid }: PayloadOf<typeof jobsCancel>): Promise<void> {
    await this.runner.wakeIfHeld(uuid);
  }

  @EventPattern(transfersEnded, { group: 'jobs-worker', prefetch: 64 })
  async transferEnded(@Payload() { tag }: PayloadOf<typeof transfersEnded>): Promise<void> {
    const uuid = jobOfTag(tag);
    if (!uuid) return;
    await this.runner.wake(uuid);
    // It will be free in a moment, and must not wait for its next poll.
    if (await this.runner.isElsewhere(uuid)) throw new Error('another worker is at the job');
  }
}
