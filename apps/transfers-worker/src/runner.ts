import { Injectable } from '@nestjs/common';
import { Database, Outbox } from '@libs/database';
import { transfersProgress } from '@libs/messages';
import { MessageBus } from '@libs/messaging';
import { Log } from '@libs/service-kit';
import { type ParentRow, TransfersStore, TransfersWork } from '@libs/transfers-store';
import { Ends } from './clients/ends';
import { TransfersWorkerSettings } from './settings';
import { ElementRun } from './steps/element-run';
import { isDead, workerName } from './worker-name';

/** Finds what a lost message left. */
const SWEEP_MS = 2_000;
const TELL_MS = 1_000;

interface Running {
  parent: ParentRow;
  stop: AbortController;
  ended: Promise<void>;
}

/** Takes due elements while it has hands free, keeps them by renewing their leases, and tells how far they are. */
@Injectable()
export class Runner {
  private readonly running = new Map<number, Running>();
  private readonly work: TransfersWork;
  private readonly waitsMs: number[];
  private claiming?: Promise<void>;
  private again = false;
  private stopped = true;
  private timer?: NodeJS.Timeout;
  private heart?: NodeJS.Timeout;
  private teller?: NodeJS.Timeout;

  constructor(
    private readonly settings: TransfersWorkerSettings,
    private readonly store: TransfersStore,
    private readonly ends: Ends,
    private readonly bus: MessageBus,
    private readonly log: Log,
    database: Database,
    outbox: Outbox,
  ) {
    this.work = new TransfersWork(database, outbox, workerName(), settings.leaseSeconds * 1000);
    this.waitsMs = settings.retrySeconds.split(',').map((s) => Number(s) * 1000);
  }

  start(): void {
    this.stopped = false;
    this.heart = setInterval(() => void this.beat(), (this.settings.leaseSeconds * 1000) / 4);
    this.teller = setInterval(() => void this.tell(), TELL_MS);
    void this.work
      .releaseDead(isDead)
      .catch((err) => this.log.warn({ err }, 'cannot look for dead workers'))
      .finally(() => this.wake());
  }

  /** There may be something to do. */
  wake(): void {
    if (this.stopped) return;
    this.again = true;
    this.claiming ??= this.claim().finally(() => {
      this.claiming = undefined;
      if (this.again) this.wake();
    });
  }

  /** Whether what runs is still to run. */
  look(): Promise<void> {
    return this.beat();
  }

  /** Lets go of everything, so that others can go on at once. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.again = false;
    for (const timer of [this.timer, this.heart, this.teller]) clearInterval(timer);
    await this.claiming;
    for (const { stop } of this.running.values()) stop.abort();
    await Promise.all([...this.running.values()].map((r) => r.ended));
    await this.work.releaseAll().catch((err) => this.log.warn({ err }, 'elements stay leased'));
  }

  private async claim(): Promise<void> {
    let wait = SWEEP_MS;
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        const free = this.settings.elementsAtOnce - this.running.size;
        if (free <= 0) break;
        const parents = await this.work.claim(free);
        for (const parent of parents) this.begin(parent);
        if (parents.length === free) this.again = true;
      }
      const next = await this.work.nextDue();
      if (next) wait = Math.min(SWEEP_MS, Math.max(50, next.getTime() - Date.now()));
    } catch (err) {
      this.again = false;
      this.log.warn({ err }, 'cannot look for transfers');
    }
    clearTimeout(this.timer);
    const full = this.running.size >= this.settings.elementsAtOnce;
    if (!this.stopped && !full) this.timer = setTimeout(() => this.wake(), wait);
  }

  private begin(parent: ParentRow): void {
    const stop = new AbortController();
    const { filesAtOnce, maxCount, stallSeconds } = this.settings;
    const { work, ends, waitsMs } = this;
    const stallMs = stallSeconds * 1000;
    const tools = { work, ends, filesAtOnce, maxCount, waitsMs, stallMs };
    const ended = new ElementRun(parent, tools, stop.signal)
      .run()
      .catch((err) => this.log.error({ err, element: parent.uuid }, 'an element is left for later'))
      .finally(() => {
        this.running.delete(parent.id);
        this.wake();
      });
    this.running.set(parent.id, { parent, stop, ended });
  }

  /** What is no longer ours was cancelled or taken over: its work stops. */
  private async beat(): Promise<void> {
    const ids = [...this.running.keys()];
    if (!ids.length) return;
    try {
      const held = await this.work.renew(ids);
      for (const id of ids) if (!held.has(id)) this.running.get(id)?.stop.abort();
    } catch (err) {
      this.log.warn({ err }, 'leases cannot be renewed');
    }
  }

  private async tell(): Promise<void> {
    const ids = [...new Set([...this.running.values()].map((r) => r.parent.taskId))];
    try {
      for (const row of await this.store.findByIds(ids)) {
        await this.bus.publish(transfersProgress, {
          uuid: row.uuid,
          tenant: row.tenant,
          username: row.username,
          tag: row.tag,
          status: row.status,
          bytesDone: row.totalBytesTransferred,
          bytesTotal: row.estimatedTotalBytes,
          filesDone: row.completeTransfers,
          filesTotal: row.totalTransfers,
        });
      }
    } catch {
      // progress is never relied on
    }
  }
}
