import { JOB_COLUMN, jobList, withNumericId } from './columns';
import type { Job } from './job-definition-row';
import type { Sql } from './sql';

/** A job of a tenant, with what it was resolved to. */
export async function findJob(sql: Sql, tenant: string, uuid: string): Promise<Job | undefined> {
  const rows: Job[] = await sql.query(
    `select ${jobList('j')}, d.definition from jobs j join job_definitions d on d.job_uuid = j.uuid
where j.uuid = $1 and j.tenant = $2`,
    [uuid, tenant],
  );
  return withNumericId(rows)[0];
}

/** Jobs by their uuids, whatever their tenant: for workers. */
export async function findJobs(sql: Sql, uuids: readonly string[]): Promise<Job[]> {
  const rows: Job[] = await sql.query(
    `select ${jobList('j')}, d.definition from jobs j join job_definitions d on d.job_uuid = j.uuid
where j.uuid = any($1::text[])`,
    [uuids],
  );
  return withNumericId(rows);
}

/** The raw request of a job of a tenant. */
export async function findJobRequest(
  sql: Sql,
  tenant: string,
  uuid: string,
): Promise<string | undefined> {
  const rows: { request: string }[] = await sql.query(
    'select request from job_definitions where job_uuid = $1 and tenant = $2',
    [uuid, tenant],
  );
  return rows[0]?.request;
}

export interface JobListing {
  /** Attributes to read; `definition` reads that too. */
  attributes: readonly string[];
  /** A condition over `jobs j` with placeholders into `params`. It carries the tenant. */
  where: string;
  /** ORDER BY, LIMIT and OFFSET, as far as wanted. */
  tail: string;
  params: readonly unknown[];
}

/** Jobs that fulfil a condition. */
export async function listJobs(sql: Sql, listing: JobListing): Promise<Partial<Job>[]> {
  const { attributes, where, tail, params } = listing;
  const list = attributes.filter((a) => JOB_COLUMN.has(a));
  const columns = list.map((a) => `j.${JOB_COLUMN.get(a)!.column} as "${a}"`);
  const definition = attributes.includes('definition');
  if (definition) columns.push('d.definition');
  const rows: Partial<Job>[] = await sql.query(
    `select ${columns.join(', ')} from jobs j
${definition ? 'join job_definitions d on d.job_uuid = j.uuid' : ''}
where ${where} ${tail}`,
    [...params],
  );
  return withNumericId<Partial<Job>>(rows);
}

/** How many jobs fulfil a condition. */
export async function countListed(
  sql: Sql,
  { where, params }: Pick<JobListing, 'where' | 'params'>,
): Promise<number> {
  const rows: { count: string }[] = await sql.query(`select count(*) from jobs j where ${where}`, [
    ...params,
  ]);
  return Number(rows[0]!.count);
}
