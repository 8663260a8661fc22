import { jobList, withNumericId } from './columns';
import type { Job } from './job-definition-row';
import type { JobRow } from './job-row';
import type { Sql } from './sql';

const FREE = '(lease_until is null or lease_until < now())';
const claimed = (condition: string) => `with claimed as (
  update jobs set claimed_by = $1, lease_until = now() + $2 * interval '1 ms',
    next_check_at = now() + $2 * interval '1 ms'
  where ${condition}
  returning *
) select ${jobList('c')}, d.definition from claimed c join job_definitions d on d.job_uuid = c.uuid`;

/**
 * Takes one job into a worker's hands for `leaseMs`, whatever its tenant. Undefined when another worker holds it,
 * when it is unknown, or when nothing is left to do: it is PAUSED, or terminal without an open `nextCheckAt`
 * (a cancelled job keeps one while something of it may still run on its host).
 */
export async function claimJob(
  sql: Sql,
  uuid: string,
  worker: string,
  leaseMs: number,
): Promise<Job | undefined> {
  const condition = `uuid = $3 and next_check_at is not null and (${FREE} or claimed_by = $1)`;
  return withNumericId<Job>(await sql.query(claimed(condition), [worker, leaseMs, uuid]))[0];
}

/** Takes up to `limit` jobs that are due: new, to be looked at again, or left by a worker that died. */
export async function claimDueJobs(
  sql: Sql,
  worker: string,
  leaseMs: number,
  limit: number,
): Promise<Job[]> {
  const condition = `id in (select id from jobs where next_check_at <= now() and ${FREE}
    order by next_check_at limit $3 for update skip locked)`;
  return withNumericId<Job>(await sql.query(claimed(condition), [worker, leaseMs, limit]));
}

/** When the next job becomes due, for a worker that wants to sleep until then. */
export async function nextDueAt(sql: Sql): Promise<Date | undefined> {
  const rows: { at: Date | null }[] = await sql.query(
    'select min(next_check_at) as at from jobs where next_check_at is not null',
  );
  return rows[0]?.at ?? undefined;
}

export interface Held {
  uuid: string;
  cancelRequested: Date | null;
}

/**
 * Keeps jobs in the worker's hands for another `leaseMs`. Answers those that it still holds, with whether
 * somebody wants them cancelled; the others were taken over or ended.
 */
export async function extendLeases(
  sql: Sql,
  worker: string,
  uuids: readonly string[],
  leaseMs: number,
): Promise<Held[]> {
  if (!uuids.length) return [];
  return sql.query(
    `with kept as (
  update jobs set lease_until = now() + $3 * interval '1 ms', next_check_at = now() + $3 * interval '1 ms'
  where uuid = any($2::text[]) and claimed_by = $1
  returning uuid, cancel_requested
) select uuid, cancel_requested as "cancelRequested" from kept`,
    [worker, uuids, leaseMs],
  );
}

/** Lets go of a job without moving it; somebody looks at it again at `nextCheckAt` (null: nobody has to). */
export async function releaseJob(
  sql: Sql,
  job: Pick<JobRow, 'uuid'>,
  worker: string,
  nextCheckAt: Date | null,
): Promise<boolean> {
  const rows: unknown[] = await sql.query(
    `with freed as (
  update jobs set claimed_by = null, lease_until = null, next_check_at = $3::timestamptz
  where uuid = $1 and claimed_by = $2 returning uuid
) select uuid from freed`,
    [job.uuid, worker, nextCheckAt],
  );
  return rows.length > 0;
}

/** Lets go of all that a worker holds, for its orderly end: others may go on at once. */
export async function releaseAll(sql: Sql, worker: string): Promise<void> {
  await sql.query(
    `with freed as (
  update jobs set claimed_by = null, lease_until = null, next_check_at = now()
  where claimed_by = $1 and next_check_at is not null returning uuid
) select count(*) from freed`,
    [worker],
  );
}

/**
 * A trouble is over: up to `limit` jobs that are BLOCKED by the same cause and key become due now.
 * Answers how many.
 */
export async function wakeBlocked(
  sql: Sql,
  tenant: string,
  cause: string,
  key: string | null,
  limit: number,
): Promise<number> {
  const rows: { count: string }[] = await sql.query(
    `with woken as (
  update jobs set next_check_at = now()
  where id in (
    select id from jobs
    where tenant = $1 and status = 'BLOCKED' and ended is null and blocked_cause = $2
      and blocked_key is not distinct from $3 and next_check_at > now() and ${FREE}
    order by blocked_since limit $4 for update skip locked)
  returning uuid
), told as (
  insert into outbox (message, payload)
  select 'jobs.work', jsonb_build_object('uuid', uuid) from woken
) select count(*) from woken`,
    [tenant, cause, key, limit],
  );
  return Number(rows[0]?.count ?? 0);
}
