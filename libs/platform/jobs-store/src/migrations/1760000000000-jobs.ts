import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs, what defined them, and their history. */
export class Jobs1760000000000 implements MigrationInterface {
  readonly name = 'Jobs1760000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
create table jobs (
  id bigint generated always as identity primary key,
  uuid text collate "C" not null,
  tenant text collate "C" not null,
  owner text collate "C" not null,
  createdby text collate "C" not null,
  createdby_tenant text collate "C" not null,
  name text collate "C" not null,
  description text collate "C" not null,
  status text collate "C" not null,
  condition text collate "C",
  last_message text collate "C",
  created timestamptz(3) not null default now(),
  last_updated timestamptz(3) not null default now(),
  ended timestamptz(3),
  visible boolean not null default true,
  app_id text collate "C" not null,
  app_version text collate "C" not null,
  job_type text collate "C" not null,
  archive_mode text collate "C" not null,
  exec_system_id text collate "C" not null,
  exec_system_exec_dir text collate "C" not null,
  exec_system_input_dir text collate "C" not null,
  exec_system_output_dir text collate "C" not null,
  exec_system_logical_queue text collate "C",
  archive_system_id text collate "C" not null,
  archive_system_dir text collate "C" not null,
  dtn_system_id text collate "C",
  dtn_system_input_dir text collate "C",
  dtn_system_output_dir text collate "C",
  node_count integer not null,
  cores_per_node integer not null,
  memory_mb integer not null,
  max_minutes integer not null,
  mpi boolean not null,
  mpi_cmd text collate "C",
  cmd_prefix text collate "C",
  tags text[] collate "C" not null default '{}',
  notes jsonb not null default '{}',
  shared_app_ctx text collate "C" not null default '',
  shared_app_ctx_attribs text[] collate "C" not null default '{}',
  tracking_id text collate "C",
  request_id text collate "C",
  traceparent text collate "C",
  blocked_count integer not null default 0,
  remote_submit_retries integer not null default 0,
  remote_checks_success integer not null default 0,
  remote_checks_failed integer not null default 0,
  remote_job_id text collate "C",
  remote_job_id2 text collate "C",
  remote_outcome text collate "C",
  remote_result_info text collate "C",
  remote_queue text collate "C",
  remote_submitted timestamptz(3),
  remote_started timestamptz(3),
  remote_ended timestamptz(3),
  remote_last_status_check timestamptz(3),
  input_transaction_id text collate "C",
  input_correlation_id text collate "C",
  archive_transaction_id text collate "C",
  archive_correlation_id text collate "C",
  stage_app_transaction_id text collate "C",
  stage_app_correlation_id text collate "C",
  dtn_input_transaction_id text collate "C",
  dtn_input_correlation_id text collate "C",
  dtn_output_transaction_id text collate "C",
  dtn_output_correlation_id text collate "C",
  cancel_requested timestamptz(3),
  claimed_by text collate "C",
  lease_until timestamptz(3),
  next_check_at timestamptz(3),
  blocked_status text collate "C",
  blocked_cause text collate "C",
  blocked_key text collate "C",
  blocked_since timestamptz(3),
  blocked_attempts integer not null default 0,
  launch jsonb
) with (fillfactor = 60);
create unique index jobs_uuid on jobs (uuid);
create index jobs_of_owner on jobs (tenant, owner, id);
create index jobs_of_exec_system on jobs (tenant, exec_system_id) where ended is null;
create index jobs_due on jobs (next_check_at) where next_check_at is not null;

create table job_definitions (
  job_uuid text collate "C" primary key,
  tenant text collate "C" not null,
  definition jsonb not null,
  request text collate "C" not null
);

create table job_events (
  id bigint generated always as identity primary key,
  tenant text collate "C" not null,
  job_uuid text collate "C" not null,
  event text collate "C" not null,
  event_detail text collate "C" not null,
  data jsonb not null,
  oth_uuid text collate "C",
  created timestamptz(3) not null default now()
);
create index job_events_of_job on job_events (job_uuid, id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table job_events; drop table job_definitions; drop table jobs;');
  }
}
