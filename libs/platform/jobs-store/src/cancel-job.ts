import { JOB_STATES } from '@libs/jobs-model';
import { jobList, withNumericId } from './columns';
import type { JobRow } from './job-row';
import { moveJob } from './move-job';
import type { Sql } from './sql';

/**
 * Asks for a job to be cancelled. A job that nobody works on (PENDING, BLOCKED, PAUSED) is CANCELLED at once;
 * if something of it may run on its host it stays due, so that a worker ends that too. For any other the wish is
 * stored on the row and told to its worker. Answers the job as it is now; a terminal one is left alone.
 */
export async function cancelJob(
  sql: Sql,
  tenant: string,
  uuid: string,
  by: string,
): Promise<JobRow | undefined> {
  for (;;) {
    const wanted: JobRow[] = await sql.query(
      `with wanted as (
  update jobs set cancel_requested = coalesce(cancel_requested, now()), next_check_at = case
    when claimed_by is null then now() else next_check_at end
  where uuid = $1 and tenant = $2 and ended is null
  returning *
), told as (
  insert into outbox (message, payload)
  select message, jsonb_build_object('uuid', uuid) from wanted, unnest($3::text[]) as t(message)
) select ${jobList('w')} from wanted w`,
      [uuid, tenant, ['jobs.work', 'jobs.cancel']],
    );
    const job = withNumericId(wanted)[0];
    if (!job) {
      const rows: JobRow[] = await sql.query(
        `select ${jobList('j')} from jobs j where uuid = $1 and tenant = $2`,
        [uuid, tenant],
      );
      return withNumericId(rows)[0];
    }
    if (job.status !== 'PENDING' && !JOB_STATES.isParked(job.status)) return job;
    const mayRun = job.status !== 'PENDING' && job.blockedStatus !== 'PENDING';
    const moved = await moveJob(sql, job, 'CANCELLED', {
      message: `Cancelled by ${by}`,
      patch: mayRun ? { nextCheckAt: new Date() } : {},
    });
    if (moved) return moved;
  }
}
