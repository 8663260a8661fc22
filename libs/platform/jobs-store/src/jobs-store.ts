import type { JobStatus } from '@libs/jobs-model';
import { type Admission, admitJob, limitsAnything, type Quotas } from './admit-job';
import { cancelJob } from './cancel-job';
import {
  claimDueJobs,
  claimJob,
  extendLeases,
  type Held,
  nextDueAt,
  releaseAll,
  releaseJob,
  wakeBlocked,
} from './claim-job';
import {
  countListed,
  findJob,
  findJobRequest,
  findJobs,
  type JobListing,
  listJobs,
} from './find-jobs';
import { insertJob, type NewJob } from './insert-job';
import type { Job } from './job-definition-row';
import type { JobEventRow } from './job-event-row';
import { addJobEvent, jobHistory, type NewEvent } from './job-history';
import type { JobPatch } from './job-patch';
import type { JobRow } from './job-row';
import { type Move, moveJob } from './move-job';
import { changeJob, patchJob } from './patch-job';
import type { Sql } from './sql';

/** What the store needs of its database; `Database` is one. */
export interface JobsSql extends Sql {
  /** Like `query`, planned once per connection. */
  prepared(text: string, params?: unknown[]): Promise<unknown>;
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>;
}

/**
 * Everything that is known and kept about jobs. Each method is one statement (`admit` may be a transaction) and
 * wakes the outbox's relay when it put something there. What the functions promise stands beside each of them.
 */
export class JobsStore {
  /** For statements of few distinct texts. */
  private readonly hot: Sql;

  constructor(
    private readonly db: JobsSql,
    private readonly nudge: () => void = () => undefined,
  ) {
    this.hot = { query: (text, params) => db.prepared(text, params) };
  }

  private async told<T>(work: Promise<T>): Promise<T> {
    const answer = await work;
    this.nudge();
    return answer;
  }

  /** Stores a submitted job, by one statement: outside or inside a transaction of the caller's. */
  insert(tx: Sql, job: NewJob): Promise<Job> {
    return insertJob(tx, job);
  }
  move<T extends JobRow>(job: T, to: JobStatus, move?: Move): Promise<T | undefined> {
    return this.told(moveJob(this.hot, job, to, move));
  }
  /** PENDING to PROCESSING_INPUTS if the quotas have room. */
  admit<T extends JobRow>(job: T, quotas: Quotas, move?: Move): Promise<Admission<T>> {
    const work = limitsAnything(quotas)
      ? this.db.transaction((tx) => admitJob(tx, job, quotas, move))
      : admitJob(this.hot, job, quotas, move);
    return this.told(work);
  }
  patch<T extends Pick<JobRow, 'uuid' | 'tenant'>>(
    job: T,
    patch: JobPatch,
    only?: { worker?: string; status?: JobStatus },
  ): Promise<(T & JobRow) | undefined> {
    return patchJob(this.hot, job, patch, only);
  }
  change(
    tenant: string,
    uuid: string,
    change: (job: JobRow) => JobPatch,
  ): Promise<JobRow | undefined> {
    return this.db.transaction((tx) => changeJob(tx, tenant, uuid, change));
  }
  cancel(tenant: string, uuid: string, by: string): Promise<JobRow | undefined> {
    return this.told(cancelJob(this.hot, tenant, uuid, by));
  }

  claim(uuid: string, worker: string, leaseMs: number): Promise<Job | undefined> {
    return claimJob(this.hot, uuid, worker, leaseMs);
  }
  claimDue(worker: string, leaseMs: number, limit: number): Promise<Job[]> {
    return claimDueJobs(this.hot, worker, leaseMs, limit);
  }
  nextDueAt(): Promise<Date | undefined> {
    return nextDueAt(this.hot);
  }
  extend(worker: string, uuids: readonly string[], leaseMs: number): Promise<Held[]> {
    return extendLeases(this.hot, worker, uuids, leaseMs);
  }
  release(job: Pick<JobRow, 'uuid'>, worker: string, nextCheckAt: Date | null): Promise<boolean> {
    return releaseJob(this.hot, job, worker, nextCheckAt);
  }
  releaseAll(worker: string): Promise<void> {
    return releaseAll(this.hot, worker);
  }
  wakeBlocked(tenant: string, cause: string, key: string | null, limit = 10): Promise<number> {
    return this.told(wakeBlocked(this.hot, tenant, cause, key, limit));
  }

  find(tenant: string, uuid: string): Promise<Job | undefined> {
    return findJob(this.hot, tenant, uuid);
  }
  findMany(uuids: readonly string[]): Promise<Job[]> {
    return findJobs(this.hot, uuids);
  }
  request(tenant: string, uuid: string): Promise<string | undefined> {
    return findJobRequest(this.hot, tenant, uuid);
  }
  list(listing: JobListing): Promise<Partial<Job>[]> {
    return listJobs(this.db, listing);
  }
  count(listing: Pick<JobListing, 'where' | 'params'>): Promise<number> {
    return countListed(this.db, listing);
  }
  history(
    tenant: string,
    uuid: string,
    page?: { after?: number; limit?: number; skip?: number },
  ): Promise<JobEventRow[]> {
    return jobHistory(this.hot, tenant, uuid, page);
  }
  addEvent(job: Pick<JobRow, 'uuid' | 'tenant'>, event: NewEvent): Promise<number | undefined> {
    return this.told(addJobEvent(this.hot, job, event));
  }
}
