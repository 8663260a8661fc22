import type { Job } from '@libs/jobs-store';
import type { News } from '@libs/monitor';
import { Log } from '@libs/service-kit';
import { Injectable } from '@nestjs/common';
import { Carrier } from './carrier';
import { Held } from './held';
import { inContextOf } from './job-context';
import { Limit } from './limit';
import { Tools } from './tools';

/**
 * Takes jobs into this worker's hands and has them carried on, so many at once and each by one at a time. A job that
 * waits costs nothing but, where its host will tell, a lease.
 */
@Injectable()
export class Runner {
  private readonly limit: Limit;
  private readonly active = new Map<string, { again: boolean }>();
  private readonly news = new Map<string, News>();
  private stopping = false;

  constructor(
    private readonly tools: Tools,
    private readonly held: Held,
    private readonly carrier: Carrier,
    private readonly log: Log,
  ) {
    this.limit = new Limit(tools.settings.jobsAtOnce);
  }

  /** How many more jobs could be worked on at once. */
  get free(): number {
    return this.limit.free;
  }

  /** What the host told of a job that this worker holds. */
  hear(uuid: string, news: News): void {
    this.news.set(uuid, news);
    void this.wake(uuid);
  }

  /** Looks at a job if this worker has it. */
  async wakeIfHeld(uuid: string): Promise<void> {
    if (this.active.has(uuid) || this.held.known(uuid)) await this.wake(uuid);
  }

  /** Whether another worker is at this job, so that a message about it has to come again. */
  async isElsewhere(uuid: string): Promise<boolean> {
    if (this.active.has(uuid) || this.held.known(uuid)) return false;
    const [job] = await this.tools.store.findMany([uuid]);
    const other = job?.claimedBy && job.claimedBy !== this.held.worker;
    return Boolean(other && job.leaseUntil && job.leaseUntil > this.tools.now());
  }

  /** Looks at a job; resolves when there is nothing more to do with it now. Whoever is at it already looks once more. */
  async wake(uuid: string, claimed?: Job): Promise<void> {
    const under = this.active.get(uuid);
    if (under) {
      under.again = true;
      return;
    }
    if (this.stopping) return;
    const mine = { again: false };
    this.active.set(uuid, mine);
    try {
      await this.limit.run(async () => {
        let job = claimed;
        do {
          mine.again = false;
          await this.turn(uuid, job);
          job = undefined;
        } while (mine.again && !this.stopping);
      });
    } catch (error) {
      this.log.error({ job: uuid, err: error }, 'a job could not be looked at');
    } finally {
      this.active.delete(uuid);
      if (mine.again) void this.wake(uuid);
    }
  }

  /** Takes nothing new; resolves when what is under way is done, or after a moment. */
  async stop(): Promise<void> {
    this.stopping = true;
    const deadline = Date.now() + 2_000;
    while (this.active.size && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private async turn(uuid: string, claimed?: Job): Promise<void> {
    // What the host told needs no look into the database first: the move is guarded.
    const known = this.news.has(uuid) ? this.held.known(uuid) : undefined;
    const job = claimed ?? known ?? (await this.held.take(uuid));
    if (!job) return void this.news.delete(uuid);
    const { job: last, stop } = await inContextOf(job, () =>
      this.carrier.carry(job, () => this.told(uuid)),
    );
    const again = () => void this.wake(uuid);
    if (stop.hold) return this.held.keep(last, stop.until, again);
    this.held.drop(uuid);
    if (stop.wakeAt) this.held.later(stop.wakeAt, again);
    if (stop.release !== undefined) await this.held.release(last, stop.release, again);
  }

  private told(uuid: string): News | undefined {
    const news = this.news.get(uuid);
    this.news.delete(uuid);
    return news;
  }
}
