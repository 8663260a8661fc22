import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Transfers, their elements (parents) and the files and directories of these (children). */
export class Transfers1763600000000 implements MigrationInterface {
  readonly name = 'Transfers1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
create table transfer_tasks (
  id bigint generated always as identity primary key,
  uuid text not null unique,
  tenant text not null,
  username text not null,
  tag text,
  status text not null default 'ACCEPTED',
  error_message text,
  created timestamptz(3) not null default now(),
  start_time timestamptz(3),
  end_time timestamptz(3)
);
create index transfer_tasks_owner on transfer_tasks (tenant, username, id desc);

create table transfer_tasks_parent (
  id bigint generated always as identity primary key,
  uuid text not null unique,
  task_id bigint not null references transfer_tasks on delete cascade,
  tenant text not null,
  username text not null,
  tag text,
  source_uri text not null,
  destination_uri text not null,
  optional boolean not null,
  transfer_type text not null,
  src_shared_ctx text,
  dest_shared_ctx text,
  status text not null default 'ACCEPTED',
  error_message text,
  final_message text,
  total_bytes bigint not null default 0,
  bytes_transferred bigint not null default 0,
  files_total integer not null default 0,
  files_done integer not null default 0,
  destination_path text,
  retries integer not null default 0,
  -- now() would be rounded, and half the time into the future
  next_attempt timestamptz(3) default date_trunc('milliseconds', now()),
  claimed_by text,
  lease_until timestamptz(3),
  created timestamptz(3) not null default now(),
  start_time timestamptz(3),
  end_time timestamptz(3)
);
create index transfer_tasks_parent_task on transfer_tasks_parent (task_id);
create index transfer_tasks_parent_due on transfer_tasks_parent (next_attempt) where next_attempt is not null;

create table transfer_tasks_child (
  id bigint generated always as identity primary key,
  uuid text not null,
  parent_id bigint not null references transfer_tasks_parent on delete cascade,
  path text not null,
  total_bytes bigint not null,
  bytes_transferred bigint not null default 0,
  retries integer not null default 0,
  next_retry timestamptz(3),
  dir boolean not null,
  executable boolean not null,
  source_modified timestamptz(3),
  status text not null default 'ACCEPTED',
  error_message text,
  created timestamptz(3) not null default now(),
  start_time timestamptz(3),
  end_time timestamptz(3)
) with (fillfactor = 50);
create index transfer_tasks_child_parent on transfer_tasks_child (parent_id, id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table transfer_tasks_child; drop table transfer_tasks_parent; drop table transfer_tasks',
    );
  }
}
