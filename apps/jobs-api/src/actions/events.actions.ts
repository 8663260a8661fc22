import type { Caller } from '@libs/auth';
import { JobsStore } from '@libs/jobs-store';
import { jobsEvent, transfersProgress } from '@libs/messages';
import { MessageBus, type Subscription } from '@libs/messaging';
import { Stopping } from '@libs/service-kit';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { JobAccess } from './job-access';
import { JobFollower } from './job-follower';

/** Transfers of a job carry its uuid and their purpose in their tag. */
const TAG = /([0-9a-f-]{36}-007):(\w+)/;

/** Clients that follow jobs, woken by the messages about those jobs. */
@Injectable()
export class EventsActions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly followers = new Map<string, Set<JobFollower>>();
  private subscriptions: Subscription[] = [];

  constructor(
    private readonly store: JobsStore,
    private readonly access: JobAccess,
    private readonly bus: MessageBus,
    private readonly stopping: Stopping,
  ) {}

  /** A job's events after the one with id `after`. Whoever takes it reads it to its end or ends it. */
  async follow(caller: Caller, uuid: string, after: number): Promise<JobFollower> {
    const job = await this.access.toRead(caller, uuid, 'JOB_HISTORY');
    const follower = new JobFollower(this.store, job, after, () => this.forget(uuid, follower));
    this.followers.set(uuid, (this.followers.get(uuid) ?? new Set()).add(follower));
    if (this.stopping.signal.aborted) follower.end();
    return follower;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.subscriptions = await Promise.all([
      this.bus.subscribe(jobsEvent, ({ uuid }) => this.each(uuid, (f) => f.wake())),
      this.bus.subscribe(transfersProgress, ({ username, ...progress }) => {
        const [, uuid, purpose] = TAG.exec(progress.tag ?? '') ?? [];
        if (!uuid) return;
        this.each(uuid, (f) => {
          if (f.isOf(progress.tenant, username)) f.tell('progress', { purpose, ...progress });
        });
      }),
    ]);
    this.stopping.signal.addEventListener('abort', () => {
      for (const uuid of this.followers.keys()) this.each(uuid, (f) => f.end());
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.subscriptions.map((s) => s.stop()));
  }

  private each(uuid: string, run: (follower: JobFollower) => void): void {
    this.followers.get(uuid)?.forEach(run);
  }

  private forget(uuid: string, follower: JobFollower): void {
    const all = this.followers.get(uuid);
    all?.delete(follower);
    if (!all?.size) this.followers.delete(uuid);
  }
}
