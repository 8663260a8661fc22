import { isHostError } from '@libs/hosts';
import { type ActiveStatus, type BlockedCause, JOB_STATES, type JobStatus } from '@libs/jobs-model';
import type { Job, JobPatch, Move } from '@libs/jobs-store';
import type { News } from '@libs/monitor';
import { Log, Metrics } from '@libs/service-kit';
import { Injectable } from '@nestjs/common';
import type { StepResult } from '../steps/step';
import { STEPS } from '../steps/steps';
import { Cancellation } from './cancellation';
import { CrashPoint } from './crash-point';
import { Held } from './held';
import { RecoveryTester, resumed } from './recovery';
import { Tools } from './tools';
import { troubleOf } from './trouble';

/** Why nothing more is to be done with a job now. */
export type Stop =
  /** Its host will tell; looked at again at `until` in any case. */
  | { hold: true; until?: Date }
  | {
      hold: false;
      /** Still in our hands: to be let go of until then; null: nobody has to look at it again. */
      release?: Date | null;
      /** Somebody has to look at it then; it is so in the database already. */
      wakeAt?: Date;
    };
type Next = { job: Job } | Stop;

const GONE: Stop = { hold: false };
/** Before a step is tried again whose connection broke. */
const BREATH_MS = 300;
/** Statuses in which something may run on the host. */
const LAUNCHED: ReadonlySet<string> = new Set(['SUBMITTING_JOB', 'QUEUED', 'RUNNING']);

/** Carries one job on, step after step; the only place that moves jobs. */
@Injectable()
export class Carrier {
  private readonly moves: ReturnType<Metrics['counter']>;
  /** Systems on which jobs wait for room. */
  private readonly crowded = new Set<string>();

  constructor(
    private readonly tools: Tools,
    private readonly held: Held,
    private readonly recovery: RecoveryTester,
    private readonly cancellation: Cancellation,
    private readonly crash: CrashPoint,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.moves = metrics.counter('job_moves_total', 'Statuses that jobs came into', ['to']);
  }

  /** Until the job waits, is over, or somebody else has it. `news` hands out what the host told, once. */
  async carry(job: Job, news: () => News | undefined): Promise<{ job: Job; stop: Stop }> {
    this.crash.entered(job.status);
    for (let current = job; ;) {
      const next = await this.oneStep(current, news);
      if (!('job' in next)) return { job: current, stop: next };
      current = next.job;
    }
  }

  private async oneStep(job: Job, news: () => News | undefined): Promise<Next> {
    if (JOB_STATES.isTerminal(job.status))
      return { hold: false, release: await this.cancellation.cleanUp(job) };
    if (job.cancelRequested) return this.cancel(job);
    if (job.status === 'BLOCKED') return this.unblock(job);
    if (!JOB_STATES.isActive(job.status)) return { hold: false, release: null };
    let result: StepResult;
    try {
      result = await this.work(job, job.status, news());
    } catch (error) {
      return this.trouble(job, error);
    }
    if (!('wait' in result)) this.crash.worked(job.status);
    return this.apply(job, result);
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

  private apply(job: Job, result: StepResult): Promise<Next> | Next {
    if ('wait' in result)
      return result.wait === 'host'
        ? { hold: true, until: result.until }
        : { hold: false, release: result.until };
    if ('moved' in result) return this.arrived(result.moved);
    if ('block' in result) return this.block(job, result.block, result.text, result.key);
    const { to, via = [], ...move } = result;
    const stopover = via.findIndex((status) => this.crash.stopsAt(status));
    if (stopover < 0) return this.move(job, to, { via, ...move });
    return this.move(job, via[stopover]!, { via: via.slice(0, stopover), patch: move.patch });
  }

  private async move(job: Job, to: JobStatus, move: Move): Promise<Next> {
    const moved = await this.tools.store.move(job, to, { ...move, worker: this.held.worker });
    // Somebody else has moved it, or holds it now: what this step found out is of no use.
    if (!moved) return GONE;
    const facts = { job: job.uuid, tenant: job.tenant, from: job.status, to };
    // The way there is in the job's history.
    if (JOB_STATES.isActive(to)) this.log.debug(facts, 'job moved');
    else this.log.info(facts, 'job moved');
    this.moves.inc({ to });
    return this.arrived(moved);
  }

  private arrived(job: Job): Next {
    this.crash.entered(job.status);
    if (JOB_STATES.isActive(job.status)) return { job };
    this.tools.heardSince.delete(job.uuid);
    this.tools.monitor.forget(job.uuid);
    this.makeRoom(job);
    return { hold: false, wakeAt: job.nextCheckAt ?? undefined };
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

  private block(job: Job, cause: BlockedCause, text: string, key?: string): Promise<Next> {
    const blocked = { cause, key, nextCheckAt: this.recovery.firstLook(cause) };
    return this.move(job, 'BLOCKED', { blocked, message: text });
  }

  private async trouble(job: Job, error: unknown): Promise<Next> {
    const trouble = troubleOf(error, job);
    const facts = { job: job.uuid, tenant: job.tenant, status: job.status, err: error };
    if (trouble.kind === 'later') {
      this.log.warn(facts, 'a job is left for later');
      return GONE;
    }
    if (trouble.kind === 'block') return this.block(job, trouble.cause, trouble.text, trouble.key);
    if (trouble.unexpected) this.log.error(facts, 'a step broke');
    const { condition, text: message } = trouble;
    return this.move(job, 'FAILED', { condition, message, patch: cleanUpAfter(job) });
  }

  private cancel(job: Job): Promise<Next> {
    const begun = statusOf(job) !== 'PENDING';
    const patch = begun ? { nextCheckAt: this.tools.now() } : undefined;
    return this.move(job, 'CANCELLED', { patch, message: 'Cancelled by a user' });
  }

  private async unblock(job: Job): Promise<Next> {
    const found = await this.recovery.look(job);
    if (found.kind === 'resume')
      return this.move(job, resumed(job), { message: 'The trouble is over' });
    const attempts = job.blockedAttempts + 1;
    if (found.kind === 'still') {
      await this.tools.note(job, { blockedAttempts: attempts, lastMessage: found.why });
      return { hold: false, release: found.nextCheckAt };
    }
    const message = `Gave up after ${attempts} tries: ${found.why ?? job.lastMessage}`;
    const condition = 'JOB_RECOVERY_TIMEOUT';
    return this.move(job, 'FAILED', { condition, message, patch: cleanUpAfter(job) });
  }
}

/** The status a job is in, or was in before it was blocked. */
const statusOf = (job: Job) => (job.status === 'BLOCKED' ? job.blockedStatus : job.status);

/** What was launched must not outlive its job: it stays due until somebody has seen to that. */
const cleanUpAfter = (job: Job): JobPatch | undefined =>
  LAUNCHED.has(statusOf(job) ?? '') ? { nextCheckAt: new Date() } : undefined;
