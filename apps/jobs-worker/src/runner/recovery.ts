import { isHostError } from '@libs/hosts';
import { type BlockedCause, JOB_STATES, nextAttempt } from '@libs/jobs-model';
import { countJobs, type Job, quotaWithoutRoom } from '@libs/jobs-store';
import { Injectable } from '@nestjs/common';
import { Remembered } from '../clients/remembered';
import { quotasOf } from '../steps/pending';
import { Tools } from './tools';

/** What a look at a blocked job leads to. */
export type Recovery =
  | { kind: 'resume' }
  | { kind: 'still'; nextCheckAt: Date; why?: string }
  | { kind: 'expired'; why?: string };

/** How many jobs that were blocked by the same trouble are woken by one that got through. */
const WAKE = 10;

/** Looks after what has blocked a job. Jobs blocked by the same trouble share a test of it. */
@Injectable()
export class RecoveryTester {
  private readonly tests = new Remembered<string | undefined>(1_000);

  constructor(private readonly tools: Tools) {}

  /** When a job that becomes blocked now is looked at for the first time. */
  firstLook(cause: BlockedCause): Date {
    const now = this.tools.now();
    return nextAttempt(cause, 0, now, now, this.pace) ?? now;
  }

  async look(job: Job): Promise<Recovery> {
    const cause = job.blockedCause!;
    const why = await this.problem(job, cause);
    if (why === undefined) {
      await this.tools.store.wakeBlocked(job.tenant, cause, job.blockedKey, WAKE);
      return { kind: 'resume' };
    }
    const since = job.blockedSince ?? this.tools.now();
    const attempts = job.blockedAttempts + 1;
    const at = nextAttempt(cause, attempts, since, this.tools.now(), this.pace);
    return at ? { kind: 'still', nextCheckAt: at, why } : { kind: 'expired', why };
  }

  private get pace(): number {
    return this.tools.settings.recoveryTimeScale;
  }

  /** What is still wrong, in words; undefined when it is over. */
  private async problem(job: Job, cause: BlockedCause): Promise<string | undefined> {
    const test = TESTS[cause];
    if (!test) return undefined;
    const key = JSON.stringify([job.tenant, cause, job.blockedKey ?? job.uuid]);
    const run = async () => {
      try {
        return await test(job, this.tools);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        return isHostError(error) ? `System ${job.execSystemId}: ${text}` : text;
      }
    };
    // Room in a quota is for one job at a time.
    return cause === 'QUOTA_EXCEEDED' ? run() : this.tests.get(key, run);
  }
}

type Test = (job: Job, tools: Tools) => Promise<string | undefined>;

const login: Test = async (job, tools) => {
  tools.systems.forget(job);
  await tools.probe(await tools.place(job));
  return undefined;
};

/** An ended login trouble of another kind than the one that blocked the job is for the job to meet again. */
const connection: Test = async (job, tools) => {
  try {
    return await login(job, tools);
  } catch (error) {
    if (isHostError(error, 'unreachable') || isHostError(error, 'timeout')) throw error;
    return isHostError(error) ? undefined : String((error as Error).message);
  }
};

const TESTS: Partial<Record<BlockedCause, Test>> = {
  QUOTA_EXCEEDED: async (job, tools) => {
    const { system } = await tools.place(job);
    return quotaWithoutRoom(await countJobs(tools.database, job), quotasOf(job, system));
  },
  SYSTEM_NOT_AVAILABLE: async (job, tools) => {
    tools.systems.forget(job);
    const { enabled, id } = await tools.systems.execSystem(job);
    return enabled ? undefined : `System ${id} is disabled`;
  },
  APPLICATION_NOT_AVAILABLE: async (job, tools) => {
    tools.apps.forget(job);
    return (await tools.apps.isEnabled(job)) ? undefined : `App ${job.appId} is disabled`;
  },
  SERVICE_CONNECTION_FAILURE: async (job, tools) => {
    tools.systems.forget(job);
    await tools.systems.execSystem(job);
    return undefined;
  },
  SSH_CONNECTION_FAILURE: connection,
  SSH_CONNECTION_TIMEOUT: connection,
  SSH_AUTHENTICATION_FAILED: login,
  FIRST_SSH_AUTHENTICATION_FAILED: login,
};

/** The status a blocked job goes back to. */
export const resumed = (job: Job) =>
  job.blockedStatus && JOB_STATES.isActive(job.blockedStatus) ? job.blockedStatus : 'PENDING';
