import type { JobEventCategory } from '@libs/jobs-model';
import { eventList, withNumericId } from './columns';
import type { JobEventData, JobEventRow } from './job-event-row';
import type { JobRow } from './job-row';
import type { Sql } from './sql';

export interface NewEvent {
  event: JobEventCategory;
  detail: string;
  data: JobEventData;
  othUuid?: string;
}

/**
 * Adds an entry to a job's history and tells it. Waits for a move of the same job that is under way, so the
 * ids of a job's entries become visible in their order.
 */
export async function addJobEvent(
  sql: Sql,
  job: Pick<JobRow, 'uuid' | 'tenant'>,
  { event, detail, data, othUuid }: NewEvent,
): Promise<number | undefined> {
  const rows: { id: string }[] = await sql.query(
    `with job as (
  select uuid, tenant from jobs where uuid = $1 and tenant = $2 for no key update
), noted as (
  insert into job_events (tenant, job_uuid, event, event_detail, data, oth_uuid)
  select tenant, uuid, $3, $4, $5::jsonb, $6 from job
  returning id, job_uuid, tenant
), told as (
  insert into outbox (message, payload)
  select 'jobs.event', jsonb_build_object('uuid', job_uuid, 'tenant', tenant, 'id', id) from noted
) select id from noted`,
    [job.uuid, job.tenant, event, detail, JSON.stringify(data), othUuid ?? null],
  );
  return rows[0] && Number(rows[0].id);
}

/** A job's history after the entry `after`, oldest first. */
export async function jobHistory(
  sql: Sql,
  tenant: string,
  uuid: string,
  page: { after?: number; limit?: number; skip?: number } = {},
): Promise<JobEventRow[]> {
  return withNumericId<JobEventRow>(
    await sql.query(
      `select ${eventList('e')} from job_events e
where tenant = $1 and job_uuid = $2 and id > $3 order by id limit $4 offset $5`,
      [tenant, uuid, page.after ?? 0, page.limit ?? null, page.skip ?? 0],
    ),
  );
}
