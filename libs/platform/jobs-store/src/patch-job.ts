import { changeableList, jobList, withNumericId } from './columns';
import { type Assignments, assignments, assignPatch, type JobPatch } from './job-patch';
import type { JobRow } from './job-row';
import { Params, type Sql } from './sql';

/**
 * Sets attributes of a job without moving it. Answers the job as it is now (its status may have been changed by
 * somebody else), or undefined when there is none or, with `worker`, when that worker does not hold it.
 */
export async function patchJob<T extends Pick<JobRow, 'uuid' | 'tenant'>>(
  sql: Sql,
  job: T,
  patch: JobPatch,
  only: { worker?: string; status?: JobRow['status'] } = {},
): Promise<(T & JobRow) | undefined> {
  const params = new Params();
  const { $ } = params;
  const set: Assignments = new Map([['last_updated', 'now()']]);
  assignPatch(set, patch, params);
  const rows: Partial<JobRow>[] = await sql.query(
    `with changed as (
  update jobs set ${assignments(set)}
  where uuid = ${$(job.uuid)} and tenant = ${$(job.tenant)}
  ${only.worker ? `and claimed_by = ${$(only.worker)}` : ''}
  ${only.status ? `and status = ${$(only.status)}` : ''}
  returning *
) select ${changeableList('c')} from changed c`,
    params.values,
  );
  return rows[0] && ({ ...job, ...rows[0] } as T & JobRow);
}

/**
 * Changes a job by what it is now: it is locked, `change` answers what to set. For transactions. Undefined when there
 * is no such job.
 */
export async function changeJob(
  tx: Sql,
  tenant: string,
  uuid: string,
  change: (job: JobRow) => JobPatch,
): Promise<JobRow | undefined> {
  const rows: JobRow[] = await tx.query(
    `select ${jobList('j')} from jobs j where uuid = $1 and tenant = $2 for no key update`,
    [uuid, tenant],
  );
  const job = withNumericId(rows)[0];
  return job && patchJob(tx, job, change(job));
}
