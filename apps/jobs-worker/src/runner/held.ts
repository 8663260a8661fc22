import { type Job, type JobRow, JobsStore } from '@libs/jobs-store';
import { Injectable } from '@nestjs/common';
import { JobsWorkerSettings } from '../settings';
import { LIVING, workerName } from './worker-name';

/** Timers beyond this are left to the sweep. */
const FAR_MS = 10 * 60_000;

/** The jobs in this worker's hands, and when to look at which again. */
@Injectable()
export class Held {
  readonly worker = workerName();
  private readonly jobs = new Map<string, Job>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly loose = new Set<NodeJS.Timeout>();

  constructor(
    private readonly store: JobsStore,
    private readonly settings: JobsWorkerSettings,
  ) {
    LIVING.add(this.worker);
  }

  get leaseMs(): number {
    return this.settings.leaseSeconds * 1000;
  }

  /** Takes a job; undefined when another worker has it or nothing is left to do. */
  async take(uuid: string): Promise<Job | undefined> {
    const job = await this.store.claim(uuid, this.worker, this.leaseMs);
    if (job) this.jobs.set(uuid, job);
    else this.drop(uuid);
    return job;
  }

  /** Notes jobs that were taken otherwise. */
  taken(jobs: readonly Job[]): void {
    for (const job of jobs) this.jobs.set(job.uuid, job);
  }

  /** A job in our hands as we left it; only good for what is guarded by our name. */
  known(uuid: string): Job | undefined {
    return this.jobs.get(uuid);
  }

  /** Keeps a job that waits, and looks at it again at `until`. */
  keep(job: Job, until: Date | undefined, wake: () => void): void {
    const { uuid } = job;
    clearTimeout(this.timers.get(uuid));
    this.timers.delete(uuid);
    if (!this.jobs.has(uuid)) return;
    this.jobs.set(uuid, job);
    if (!until) return;
    const ms = Math.max(0, until.getTime() - Date.now());
    // Node's timers end at 24 days; a longer wait is cut into pieces.
    const timer = setTimeout(wake, Math.min(ms, 2 ** 31 - 1)).unref();
    this.timers.set(uuid, timer);
  }

  drop(uuid: string): void {
    this.jobs.delete(uuid);
    clearTimeout(this.timers.get(uuid));
    this.timers.delete(uuid);
  }

  /** Lets go of a job until a time. */
  async release(
    job: Pick<JobRow, 'uuid'>,
    nextCheckAt: Date | null,
    wake: () => void,
  ): Promise<void> {
    await this.store.release(job, this.worker, nextCheckAt);
    if (nextCheckAt) this.later(nextCheckAt, wake);
  }

  /** Looks at a job at that time, if this process lives; else the sweep finds it. */
  later(at: Date, wake: () => void): void {
    const ms = Math.max(0, at.getTime() - Date.now()) + 5;
    if (ms > FAR_MS) return;
    const timer = setTimeout(() => {
      this.loose.delete(timer);
      wake();
    }, ms).unref();
    this.loose.add(timer);
  }

  /** Tells the database that this worker lives. Answers jobs it has lost, and those somebody wants cancelled. */
  async extend(): Promise<{ lost: string[]; cancelled: string[] }> {
    const mine = [...this.jobs.keys()];
    const kept = await this.store.extend(this.worker, mine, this.leaseMs);
    const still = new Set(kept.map(({ uuid }) => uuid));
    const lost = mine.filter((uuid) => !still.has(uuid) && this.jobs.has(uuid));
    const cancelled = kept.filter((k) => k.cancelRequested).map(({ uuid }) => uuid);
    return { lost, cancelled };
  }

  /** Gives everything back, for an orderly end. */
  async end(): Promise<void> {
    for (const uuid of [...this.jobs.keys()]) this.drop(uuid);
    for (const timer of this.loose) clearTimeout(timer);
    LIVING.delete(this.worker);
    await this.store.releaseAll(this.worker);
  }
}
