import type { JobDefinition } from '@libs/jobs-model';
import { JOB_COLUMN, jobList, withNumericId } from './columns';
import type { Job } from './job-definition-row';
import type { JobRow } from './job-row';
import { Params, type Sql } from './sql';

type Given =
  | 'uuid' | 'tenant' | 'owner' | 'createdby' | 'createdbyTenant' | 'name' | 'description' | 'created'
  | 'appId' | 'appVersion' | 'jobType' | 'archiveMode' | 'execSystemId' | 'execSystemExecDir'
  | 'execSystemInputDir' | 'execSystemOutputDir' | 'execSystemLogicalQueue' | 'archiveSystemId'
  | 'archiveSystemDir' | 'dtnSystemId' | 'dtnSystemInputDir' | 'dtnSystemOutputDir' | 'nodeCount'
  | 'coresPerNode' | 'memoryMB' | 'maxMinutes' | 'mpi' | 'mpiCmd' | 'cmdPrefix' | 'tags' | 'notes'
  | 'sharedAppCtx' | 'sharedAppCtxAttribs' | 'trackingId' | 'requestId' | 'traceparent' | 'remoteQueue'; // prettier-ignore
export type NewJob = Pick<JobRow, Given> & {
  definition: JobDefinition;
  /** What was sent, as JSON text. */
  request: string;
  /** What is done of the launch already. */
  launch?: JobRow['launch'];
};

/** A sweep finds a job whose first message was lost after this long. */
const FIRST_SWEEP = `interval '5 seconds'`;

/** Stores a submitted job with its history, its request and the message that somebody has to work on it. */
export async function insertJob(sql: Sql, job: NewJob): Promise<Job> {
  const { definition, request, ...row } = job;
  const params = new Params();
  const { $ } = params;
  const columns: string[] = [];
  const values: string[] = [];
  for (const [attribute, value] of Object.entries(row)) {
    if (value == null) continue;
    const { column, type } = JOB_COLUMN.get(attribute)!;
    columns.push(column);
    values.push(`${$(type === 'jsonb' ? JSON.stringify(value) : value)}::${type}`);
  }
  const rows: JobRow[] = await sql.query(
    `with made as (
  insert into jobs (${columns.join(', ')}, status, last_message, next_check_at)
  values (${values.join(', ')}, 'PENDING', 'Submitted', now() + ${FIRST_SWEEP})
  returning *
), defined as (
  insert into job_definitions (job_uuid, tenant, definition, request)
  select uuid, tenant, ${$(JSON.stringify(definition))}::jsonb, ${$(request)} from made
), noted as (
  insert into job_events (tenant, job_uuid, event, event_detail, data)
  select tenant, uuid, 'JOB_NEW_STATUS', 'PENDING',
    '{"message": "Submitted", "newJobStatus": "PENDING", "oldJobStatus": null}'::jsonb from made
  returning id, job_uuid, tenant
), told as (
  insert into outbox (message, payload)
  select 'jobs.work', jsonb_build_object('uuid', uuid) from made
  union all
  select 'jobs.event', jsonb_build_object('uuid', job_uuid, 'tenant', tenant, 'id', id) from noted
)
select ${jobList('m')} from made m`,
    params.values,
  );
  return { ...withNumericId(rows)[0]!, definition };
}
