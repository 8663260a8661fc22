import { type Move, moveJob } from './move-job';
import type { JobRow } from './job-row';
import type { Sql } from './sql';

/** How many jobs there may be at once; null, 0 or less, and 2147483647 mean any number. */
export interface Quotas {
  system?: number | null;
  systemPerUser?: number | null;
  queue?: number | null;
  queuePerUser?: number | null;
  app?: number | null;
  appPerUser?: number | null;
}

const NO_LIMIT = 2_147_483_647;
const limited = (limit: number | null | undefined): limit is number =>
  limit != null && limit > 0 && limit < NO_LIMIT;

const FILTERS: Record<keyof Quotas, string> = {
  system: 'true',
  systemPerUser: 'owner = $3',
  queue: 'exec_system_logical_queue = $4',
  queuePerUser: 'exec_system_logical_queue = $4 and owner = $3',
  app: 'app_id = $5',
  appPerUser: 'app_id = $5 and owner = $3',
};

export type Counts = Record<keyof Quotas, number>;

/** The jobs under way on the job's execution system, counted for each quota. PENDING ones don't count. */
export async function countJobs(sql: Sql, job: JobRow): Promise<Counts> {
  const counts = Object.entries(FILTERS).map(
    ([name, filter]) => `count(*) filter (where ${filter})::int as "${name}"`,
  );
  const rows: Counts[] = await sql.query(
    `select ${counts.join(', ')} from jobs
where tenant = $1 and exec_system_id = $2 and ended is null
  and status not in ('PENDING', 'BLOCKED', 'PAUSED') and $3 || coalesce($4, '') || $5 is not null`,
    [job.tenant, job.execSystemId, job.owner, job.execSystemLogicalQueue, job.appId],
  );
  return rows[0]!;
}

/** The first quota that has no room, in words; undefined when all have. */
export function quotaWithoutRoom(counts: Counts, quotas: Quotas): string | undefined {
  const full = (Object.keys(FILTERS) as (keyof Quotas)[]).find((name) => {
    const limit = quotas[name];
    return limited(limit) && counts[name] >= limit;
  });
  return full && `${counts[full]} jobs are under way and the quota "${full}" is ${quotas[full]}`;
}

/** Whether any of the quotas limits anything: if not, a plain move does. */
export const limitsAnything = (quotas: Quotas): boolean => Object.values(quotas).some(limited);

export type Admission<T> = { job: T } | { full: string } | undefined;

/**
 * Moves a job on if its quotas have room. To be called in a transaction: jobs of one execution system are
 * admitted one after the other, so no quota is ever exceeded. Undefined when the race for the job was lost.
 */
export async function admitJob<T extends JobRow>(
  tx: Sql,
  job: T,
  quotas: Quotas,
  move: Move = {},
): Promise<Admission<T>> {
  if (limitsAnything(quotas)) {
    await tx.query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
      `quota ${job.tenant}`,
      job.execSystemId,
    ]);
    const full = quotaWithoutRoom(await countJobs(tx, job), quotas);
    if (full) return { full };
  }
  const moved = await moveJob(tx, job, 'PROCESSING_INPUTS', move);
  return moved && { job: moved };
}
