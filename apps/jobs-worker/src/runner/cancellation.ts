import { isPassing } from '@libs/hosts';
import type { Job } from '@libs/jobs-store';
import { Log } from '@libs/service-kit';
import { Injectable } from '@nestjs/common';
import { Tools } from './tools';

/** How long after its end a cancelled job's host is tried, if it is away. */
const PATIENCE_MS = 24 * 3600_000;
const RETRY_MS = 60_000;

/** Ends what a job that is over may still have going, on its host and elsewhere. */
@Injectable()
export class Cancellation {
  constructor(
    private readonly tools: Tools,
    private readonly log: Log,
  ) {}

  /** Cancels transfers and kills. Answers when to try again if the host is away; null when there is nothing left. */
  async cleanUp(job: Job): Promise<Date | null> {
    this.tools.monitor.forget(job.uuid);
    this.tools.heardSince.delete(job.uuid);
    const transfers = [
      job.inputTransactionId,
      job.stageAppTransactionId,
      job.archiveTransactionId,
    ].filter((id) => id !== null);
    const [again] = await Promise.all([
      this.kill(job),
      ...transfers.map((id) => this.cancelTransfer(job, id)),
    ]);
    return again;
  }

  private async kill(job: Job): Promise<Date | null> {
    try {
      const place = await this.tools.place(job);
      await this.tools.run(place, place.launcher.kill(place.plan));
      return null;
    } catch (error) {
      this.log.warn({ job: job.uuid, err: error }, 'a job that is over could not be killed');
      const since = job.ended?.getTime() ?? Date.now();
      const away = isPassing(error) && Date.now() - since < PATIENCE_MS;
      return away ? new Date(Date.now() + RETRY_MS * this.tools.settings.recoveryTimeScale) : null;
    }
  }

  private async cancelTransfer(job: Job, id: string): Promise<void> {
    try {
      await this.tools.files.cancelTransfer(job, id);
    } catch (error) {
      this.log.warn({ job: job.uuid, transfer: id, err: error }, 'a transfer was not cancelled');
    }
  }
}
