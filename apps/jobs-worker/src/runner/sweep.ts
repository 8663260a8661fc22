import { Database } from '@libs/database';
import { JobsStore } from '@libs/jobs-store';
import { Monitor } from '@libs/monitor';
import { Log } from '@libs/service-kit';
import { HostPool } from '@libs/hosts';
import {
  Injectable,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { JobsWorkerSettings } from '../settings';
import { Held } from './held';
import { HostShells } from './host-shells';
import { Runner } from './runner';
import { hasDied } from './worker-name';

/** Finds what messages don't tell: jobs that are due, that a dead worker left, or whose message was lost. */
@Injectable()
export class Sweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timers: NodeJS.Timeout[] = [];
  private sweeping?: Promise<void>;

  constructor(
    private readonly store: JobsStore,
    private readonly database: Database,
    private readonly runner: Runner,
    private readonly held: Held,
    private readonly monitor: Monitor,
    private readonly shells: HostShells,
    private readonly pool: HostPool,
    private readonly settings: JobsWorkerSettings,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const every = (ms: number, work: () => Promise<void>) =>
      this.timers.push(setInterval(() => void this.guarded(work), ms).unref());
    every(this.settings.sweepSeconds * 1000, () => this.sweep());
    every(this.held.leaseMs / 3, () => this.extend());
    void this.guarded(() => this.sweep());
  }

  /** Before the database is closed: what is given back now, others go on with at once. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.runner.stop();
    await this.sweeping?.catch(() => undefined);
    this.monitor.close();
    this.shells.close();
    await this.held.end().catch(() => undefined);
    await this.pool.close();
  }

  /** Takes what is due, as much as there is room for. */
  sweep(): Promise<void> {
    return (this.sweeping ??= this.takeDue().finally(() => (this.sweeping = undefined)));
  }

  private async takeDue(): Promise<void> {
    await this.inherit();
    for (let room = this.runner.free; room > 0; room = this.runner.free) {
      const jobs = await this.store.claimDue(this.held.worker, this.held.leaseMs, room);
      this.held.taken(jobs);
      for (const job of jobs) void this.runner.wake(job.uuid, job);
      if (jobs.length < room) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Leases of a worker that has died on this machine are over at once. */
  private async inherit(): Promise<void> {
    const rows = await this.database.query<{ worker: string }>(
      'select distinct claimed_by as worker from jobs where claimed_by is not null and next_check_at is not null',
    );
    for (const { worker } of rows)
      if (hasDied(worker, this.held.worker)) await this.store.releaseAll(worker);
  }

  private async extend(): Promise<void> {
    const { lost, cancelled } = await this.held.extend();
    for (const uuid of lost) {
      this.monitor.forget(uuid);
      this.held.drop(uuid);
    }
    for (const uuid of cancelled) void this.runner.wake(uuid);
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn({ err: error }, 'looking for jobs failed; tried again soon');
    }
  }
}
