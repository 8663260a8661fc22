import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs, what defined them, and their history. */
export class Jobs1760000000000 implements MigrationInterface {
  readonly name = 'Jobs1760000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
create table jobs (
  id bigint generated always as identity primary key,
  uuid text not null,
  tenant text not null,
  owner text not null,
  createdby text not null,
  createdby_tenant text not null,
  name text not null,
  description text not null,
  status text not null,
  condition text,
  last_message text,
  created timestamptz(3) not null default now(),
  last_updated timestamptz(3) not null default now(),
  ended timestamptz(3),
  visible boolean not null default true,
  app_id text not null,
  app_version text not null,
  job_type text not null,
  archive_mode text not null,
  exec_system_id text not null,
  exec_system_exec_dir text not null,
  exec_system_input_dir text not null,
  exec_system_output_dir text not null,
  exec_system_logical_queue text,
  archive_system_id text not null,
  archive_system_dir text not null,
  dtn_system_id text,
  dtn_system_input_dir text,
  dtn_system_output_dir text,
  node_count integer not null,
  cores_per_node integer not null,
  memory_mb integer not null,
  max_minutes integer not null,
  mpi boolean not null,
  mpi_cmd text,
  cmd_prefix text,
  tags text[] not null default '{}',
  notes jsonb not null default '{}',
  shared_app_ctx text not null default '',
  shared_app_ctx_attribs text[] not null default '{}',
  tracking_id text,
  request_id text,
  traceparent text,
  blocked_count integer not null default 0,
  remote_submit_retries integer not null default 0,
  remote_checks_success integer not null default 0,
  remote_checks_failed integer not null default 0,
  remote_job_id text,
  remote_job_id2 text,
  remote_outcome text,
  remote_result_info text,
  remote_queue text,
  remote_submitted timestamptz(3),
  remote_started timestamptz(3),
  remote_ended timestamptz(3),
  remote_last_status_check timestamptz(3),
  input_transaction_id text,
  input_correlation_id text,
  archive_transaction_id text,
  archive_correlation_id text,
  stage_app_transaction_id text,
  stage_app_correlation_id text,
  dtn_input_transaction_id text,
  dtn_input_correlation_id text,
  dtn_output_transaction_id text,
  dtn_output_correlation_id text,
  cancel_requested timestamptz(3),
  claimed_by text,
  lease_until timestamptz(3),
  next_check_at timestamptz(3),
  blocked_status text,
  blocked_cause text,
  blocked_key text,
  blocked_since timestamptz(3),
  blocked_attempts integer not null default 0,
  launch jsonb
) with (fillfactor = 60);
create unique index jobs_uuid on jobs (uuid);
create index jobs_of_owner on jobs (tenant, owner, id);
create index jobs_of_exec_system on jobs (tenant, exec_system_id) where ended is null;
create index jobs_due on jobs (next_check_at) where next_check_at is not null;

create table job_definitions (
  job_uuid text primary key,
  tenant text not null,
  definition jsonb not null,
  request text not null
);

create table job_events (
  id bigint generated always as identity primary key,
  tenant text not null,
  job_uuid text not null,
  event text not null,
  event_detail text not null,
  data jsonb not null,
  oth_uuid text,
  created timestamptz(3) not null default now()
);
create index job_events_of_job on job_events (job_uuid, id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table job_events; drop table job_definitions; drop table jobs;');
  }
}
