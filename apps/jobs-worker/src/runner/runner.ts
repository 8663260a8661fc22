import { isHostError } from '@libs/hosts';
import { type ActiveStatus, JOB_STATES, type JobStatus } from '@libs/jobs-model';
import type { Job, Move } from '@libs/jobs-store';
import type { News } from '@libs/monitor';
import { Log, Metrics } from '@libs/service-kit';
import { Injectable } from '@nestjs/common';
import { STEPS } from '../steps/steps';
import type { StepResult } from '../steps/step';
import { Cancellation } from './cancellation';
import { CrashPoint } from './crash-point';
import { Held } from './held';
import { inContextOf } from './job-context';
import { Limit } from './limit';
import { RecoveryTester, resumed } from './recovery';
import { Tools } from './tools';
import { troubleOf } from './trouble';

/** Why nothing more is to be done with a job now. */
type Stop = { hold: true; until?: Date } | { hold: false; nextCheckAt?: Date | null };

/**
 * Carries jobs on: takes a job into this worker's hands, does step after step as far as they go without waiting, lets
 * go of it. A job that waits costs nothing but, where its host will tell, a lease.
 */
@Injectable()
export class Runner {
  private readonly limit: Limit;
  private readonly moves: ReturnType<Metrics['counter']>;
  private readonly active = new Map<string, { again: boolean }>();
  private readonly news = new Map<string, News>();
  /** Systems on which jobs wait for room. */
  private readonly crowded = new Set<string>();
  private stopping = false;

  constructor(
    private readonly tools: Tools,
    private readonly held: Held,
    private readonly recovery: RecoveryTester,
    private readonly cancellation: Cancellation,
    private readonly crash: CrashPoint,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.limit = new Limit(tools.settings.jobsAtOnce);
    this.moves = metrics.counter('job_moves_total', 'Statuses that jobs came into', ['to']);
  }

  /** How many more jobs could be worked on at once. */
  get free(): number {
    return this.limit.free;
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

  /** What the host told of a job that this worker holds. */
  hear(uuid: string, news: News): void {
    this.news.set(uuid, news);
    void this.wake(uuid);
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

  /** Takes nothing new; resolves when what is under way is done. */
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
    this.crash.entered(job.status);
    const { job: last, stop } = await inContextOf(job, () => this.carry(job));
    if (stop.hold) return this.held.keep(last, stop.until, () => void this.wake(uuid));
    this.held.drop(uuid);
    if (stop.nextCheckAt === undefined) return;
    await this.held.release(last, stop.nextCheckAt, () => void this.wake(uuid));
  }

  /** Step after step, until one waits, the job is over, or somebody else has it. */
  private async carry(job: Job): Promise<{ job: Job; stop: Stop }> {
    for (let current = job; ;) {
      const next = await this.oneStep(current);
      if (!('job' in next)) return { job: current, stop: next };
      current = next.job;
    }
  }

  private async oneStep(job: Job): Promise<{ job: Job } | Stop> {
    if (JOB_STATES.isTerminal(job.status)) return this.afterEnd(job);
    if (job.cancelRequested) return this.cancel(job);
    if (job.status === 'BLOCKED') return this.unblock(job);
    if (!JOB_STATES.isActive(job.status)) return { hold: false, nextCheckAt: null };
    const status: ActiveStatus = job.status;
    const news = this.news.get(job.uuid);
    this.news.delete(job.uuid);
    let result: StepResult;
    try {
      result = await this.work(job, status, news);
    } catch (error) {
      return this.trouble(job, error);
    }
    if ('wait' in result) return this.waiting(job, result);
    this.crash.worked(status);
    if ('moved' in result) return this.arrived(result.moved);
    if ('block' in result) {
      const { block: cause, key, text, patch } = result;
      return this.block(job, cause, text, key, patch);
    }
    return this.go(job, result);
  }

  /** Every step may be repeated: a connection that merely broke is no reason to block a job. */
  private async work(job: Job, status: ActiveStatus, news?: News): Promise<StepResult> {
    const step = STEPS[status];
    try {
      return await step(job, this.tools, news);
    } catch (error) {
      if (!isHostError(error, 'unreachable') || news?.kind === 'away') throw error;
      await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
      return step(job, this.tools, news);
    }
  }

  private async waiting(job: Job, result: Extract<StepResult, { wait: string }>): Promise<Stop> {
    if (result.wait === 'host') return { hold: true, until: result.until };
    if (result.patch) await this.tools.note(job, result.patch);
    return { hold: false, nextCheckAt: result.until };
  }

  private async go(
    job: Job,
    { to, via = [], ...move }: Extract<StepResult, { to: JobStatus }>,
  ): Promise<{ job: Job } | Stop> {
    const stopover = via.findIndex((status) => this.crash.stopsAt(status));
    if (stopover >= 0) {
      const status = via[stopover]!;
      return this.move(job, status, { via: via.slice(0, stopover), patch: move.patch });
    }
    return this.move(job, to, { via, ...move });
  }

  private async move(job: Job, to: JobStatus, move: Move): Promise<{ job: Job } | Stop> {
    const moved = await this.tools.store.move(job, to, { ...move, worker: this.held.worker });
    // Somebody else has moved it, or holds it now: what this step found out is of no use.
    if (!moved) return { hold: false };
    this.log.info({ job: job.uuid, tenant: job.tenant, from: job.status, to }, 'job moved');
    this.moves.inc({ to });
    return this.arrived(moved);
  }

  private arrived(job: Job): { job: Job } | Stop {
    this.crash.entered(job.status);
    if (JOB_STATES.isActive(job.status)) return { job };
    this.tools.heardSince.delete(job.uuid);
    this.tools.monitor.forget(job.uuid);
    this.makeRoom(job);
    if (job.status === 'BLOCKED' && job.nextCheckAt)
      this.held.later(job.nextCheckAt, () => void this.wake(job.uuid));
    return { hold: false };
  }

  /** A job that is over lets one in that waits for room. */
  private makeRoom(job: Job): void {
    const key = `${job.tenant} ${job.execSystemId}`;
    if (job.blockedCause === 'QUOTA_EXCEEDED') this.crowded.add(key);
    if (!JOB_STATES.isTerminal(job.status) || !this.crowded.has(key)) return;
    this.tools.store
      .wakeBlocked(job.tenant, 'QUOTA_EXCEEDED', job.execSystemId, 1)
      .then((woken) => void (woken || this.crowded.delete(key)))
      .catch(() => undefined);
  }

  private block(
    job: Job,
    cause: Parameters<RecoveryTester['firstLook']>[0],
    text: string,
    key?: string,
    patch?: Move['patch'],
  ): Promise<{ job: Job } | Stop> {
    const blocked = { cause, key, nextCheckAt: this.recovery.firstLook(cause) };
    return this.move(job, 'BLOCKED', { blocked, message: text, patch });
  }

  private async trouble(job: Job, error: unknown): Promise<{ job: Job } | Stop> {
    const trouble = troubleOf(error, job);
    const facts = { job: job.uuid, tenant: job.tenant, status: job.status, err: error };
    if (trouble.kind === 'later') {
      this.log.warn(facts, 'a job is left for later');
      return { hold: false };
    }
    if (trouble.kind === 'block') return this.block(job, trouble.cause, trouble.text, trouble.key);
    if (trouble.unexpected) this.log.error(facts, 'a step broke');
    return this.fail(job, trouble.condition, trouble.text);
  }

  private async fail(
    job: Job,
    condition: NonNullable<Move['condition']>,
    message: string,
  ): Promise<{ job: Job } | Stop> {
    const from = job.status === 'BLOCKED' ? job.blockedStatus : job.status;
    // What was launched must not outlive its job.
    const patch = LAUNCHED.has(from ?? '') ? { nextCheckAt: new Date() } : undefined;
    const failed = await this.move(job, 'FAILED', { condition, message, patch });
    if (patch && !('job' in failed)) void this.wakeSoon(job.uuid);
    return failed;
  }

  private async cancel(job: Job): Promise<{ job: Job } | Stop> {
    const from = job.status === 'BLOCKED' ? job.blockedStatus : job.status;
    const mayRun = from !== 'PENDING';
    const patch = mayRun ? { nextCheckAt: new Date() } : undefined;
    const stop = await this.move(job, 'CANCELLED', { patch, message: 'Cancelled by a user' });
    if (mayRun) void this.wakeSoon(job.uuid);
    return stop;
  }

  /** A job that is over and still due: something of it may run. */
  private async afterEnd(job: Job): Promise<Stop> {
    return { hold: false, nextCheckAt: await this.cancellation.cleanUp(job) };
  }

  private async unblock(job: Job): Promise<{ job: Job } | Stop> {
    const found = await this.recovery.look(job);
    const { blockedAttempts, lastMessage } = job;
    switch (found.kind) {
      case 'resume':
        return this.move(job, resumed(job), { message: 'The trouble is over' });
      case 'still': {
        const patch = { blockedAttempts: blockedAttempts + 1, lastMessage: found.why };
        await this.tools.note(job, patch);
        return { hold: false, nextCheckAt: found.nextCheckAt };
      }
      case 'expired': {
        const text = `Gave up after ${blockedAttempts + 1} tries: ${found.why ?? lastMessage}`;
        return this.fail(job, 'JOB_RECOVERY_TIMEOUT', text);
      }
    }
  }

  private async wakeSoon(uuid: string): Promise<void> {
    const under = this.active.get(uuid);
    if (under) under.again = true;
    else await this.wake(uuid);
  }
}

/** Before a step is tried again whose connection broke. */
const BREATH_MS = 300;

/** Statuses in which something may run on the host. */
const LAUNCHED: ReadonlySet<string> = new Set(['SUBMITTING_JOB', 'QUEUED', 'RUNNING']);
