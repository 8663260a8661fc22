import { randomUUID } from 'node:crypto';
import { type Database, type Outbox, run } from '@libs/database';
import {
  type ChildRow,
  childList,
  type NewChild,
  type ParentRow,
  parentList,
  type TransferRow,
  transferList,
} from './transfer-rows';
import { CHILD_STATES, PARENT_STATES, type ParentStatus, sqlList } from './transfer-states';
import { endTask } from './transfers-store';

const OPEN_PARENT = sqlList(PARENT_STATES.active);
const OPEN_CHILD = sqlList(CHILD_STATES.active);
const MINE = `p.claimed_by = $2 and p.status in (${OPEN_PARENT})`;

const FRESH = {
  bytesTransferred: 0,
  retries: 0,
  nextRetry: null,
  status: 'ACCEPTED' as const,
  errorMessage: null,
  startTime: null,
  endTime: null,
};

/** How a file fared. */
export interface ChildOutcome {
  id: number;
  bytes: number;
}

/**
 * Transfers as the workers see them. A worker holds an element by a lease; every change it makes is refused once
 * somebody else holds the element or it is over (answers false), and then the worker lets go.
 */
export class TransfersWork {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    readonly worker: string,
    private readonly leaseMs: number,
  ) {}

  /**
   * Takes up to `limit` due elements: new ones, those to be tried again, those of a worker that died. Users take
   * turns: everybody's oldest comes before anybody's second.
   */
  async claim(limit: number): Promise<ParentRow[]> {
    const claimed = await this.database.query<ParentRow>(
      `with turns as (
  select id, row_number() over (partition by tenant, username order by id) as turn
  from transfer_tasks_parent where next_attempt is not null
), due as (
  select p.id from transfer_tasks_parent p join turns t on t.id = p.id
  where p.next_attempt <= now() and (p.lease_until is null or p.lease_until < now())
  order by t.turn, p.id limit $3 for update of p skip locked
), claimed as (
  update transfer_tasks_parent p set claimed_by = $1, lease_until = now() + $2 * interval '1 ms',
    start_time = coalesce(p.start_time, now())
  from due where p.id = due.id returning p.*
) select ${parentList('claimed')} from claimed order by id`,
      [this.worker, this.leaseMs, limit],
    );
    if (claimed.length) {
      await this.database.query(
        `update transfer_tasks set status = 'IN_PROGRESS', start_time = now()
where id = any($1::bigint[]) and status = 'ACCEPTED'`,
        [claimed.map((p) => p.taskId)],
      );
    }
    return claimed;
  }

  /** Keeps the elements; answers the ids of those that are still this worker's. */
  async renew(ids: number[]): Promise<Set<number>> {
    const rows = await this.database.query<{ id: number }>(
      `update transfer_tasks_parent p set lease_until = now() + $3 * interval '1 ms'
where p.id = any($1::bigint[]) and ${MINE} returning id::float8 as id`,
      [ids, this.worker, this.leaseMs],
    );
    return new Set(rows.map((r) => r.id));
  }

  /** When the next element becomes due; undefined when nothing waits. */
  async nextDue(): Promise<Date | undefined> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `select min(greatest(next_attempt, lease_until)) as at from transfer_tasks_parent where next_attempt is not null`,
    );
    return row?.at ?? undefined;
  }

  /** Gives everything back at once, for an orderly end. */
  async releaseAll(): Promise<void> {
    await this.database.query(
      `update transfer_tasks_parent set claimed_by = null, lease_until = null,
  next_attempt = date_trunc('milliseconds', now())
where claimed_by = $1 and status in (${OPEN_PARENT})`,
      [this.worker],
    );
  }

  /** Frees what workers hold of whom it is known that they are dead, before their leases run out. */
  async releaseDead(isDead: (worker: string) => boolean): Promise<void> {
    const held = await this.database.query<{ worker: string }>(
      `select distinct claimed_by as worker from transfer_tasks_parent where next_attempt is not null and claimed_by is not null`,
    );
    const dead = held.map((row) => row.worker).filter(isDead);
    if (!dead.length) return;
    await this.database.query(
      `update transfer_tasks_parent set claimed_by = null, lease_until = null
where claimed_by = any($1::text[]) and status in (${OPEN_PARENT})`,
      [dead],
    );
  }

  /** Gives one back to be tried again at a time, with what is known about why and the tries that count so far. */
  release(parent: ParentRow, at: Date, message: string | null, retries: number): Promise<boolean> {
    return this.change(
      `update transfer_tasks_parent p set claimed_by = null, lease_until = null, next_attempt = $3,
  error_message = $4, retries = $5 where p.id = $1 and ${MINE}`,
      [parent.id, this.worker, at, message, retries],
    );
  }

  /** Moves an open element on. */
  move(parent: ParentRow, status: ParentStatus): Promise<boolean> {
    return this.change(
      `update transfer_tasks_parent p set status = $3, error_message = null
where p.id = $1 and ${MINE} and p.status = any($4)`,
      [parent.id, this.worker, status, PARENT_STATES.sourcesOf(status)],
    );
  }

  /**
   * STAGING to STAGED: what has to be copied, replacing what an earlier try had found. Answers the children, directories
   * first; undefined when the element is lost.
   */
  async stage(
    parent: ParentRow,
    destinationPath: string,
    children: NewChild[],
  ): Promise<ChildRow[] | undefined> {
    const inOrder = [...children.filter((c) => c.dir), ...children.filter((c) => !c.dir)];
    return this.database.transaction(async (tx) => {
      const { count } = await run(
        tx,
        `update transfer_tasks_parent p set status = 'STAGED', destination_path = $3, total_bytes = $4, files_total = $5,
  files_done = 0, bytes_transferred = 0, error_message = null
where p.id = $1 and ${MINE} and p.status = 'STAGING'`,
        [
          parent.id,
          this.worker,
          destinationPath,
          children.reduce((sum, c) => sum + c.totalBytes, 0),
          children.length,
        ],
      );
      if (!count) return undefined;
      await run(tx, 'delete from transfer_tasks_child where parent_id = $1', [parent.id]);
      const uuids = inOrder.map(() => randomUUID());
      const { rows } = await run<{ id: number }>(
        tx,
        `with made as (
  insert into transfer_tasks_child (parent_id, uuid, path, total_bytes, dir, executable, source_modified)
  select $1, uuid, path, bytes, dir, x, modified
  from unnest($2::text[], $3::text[], $4::bigint[], $5::boolean[], $6::boolean[], $7::timestamptz[])
    with ordinality as t(uuid, path, bytes, dir, x, modified, n) order by n
  returning id
) select id::float8 as id from made order by id`,
        [
          parent.id,
          uuids,
          inOrder.map((c) => c.path),
          inOrder.map((c) => c.totalBytes),
          inOrder.map((c) => c.dir),
          inOrder.map((c) => c.executable),
          inOrder.map((c) => c.sourceModified?.toISOString() ?? null),
        ],
      );
      const created = new Date();
      return inOrder.map((c, i) => ({
        ...FRESH,
        ...c,
        ...rows[i]!,
        uuid: uuids[i]!,
        parentId: parent.id,
        created,
      }));
    });
  }

  /** Files and directories of an element that are not over, directories first. */
  openChildren(parent: ParentRow): Promise<ChildRow[]> {
    return this.database.query(
      `select ${childList('c')} from transfer_tasks_child c
where parent_id = $1 and status in (${OPEN_CHILD}) order by dir desc, id`,
      [parent.id],
    );
  }

  /** Why a child of the element failed for good; undefined when none did. */
  async failure(parent: ParentRow): Promise<string | undefined> {
    const [row] = await this.database.query<{ message: string }>(
      `select coalesce(error_message, '') as message from transfer_tasks_child
where parent_id = $1 and status = 'FAILED' order by id limit 1`,
      [parent.id],
    );
    return row?.message;
  }

  /** Marks children as being copied. */
  begin(parent: ParentRow, ids: number[]): Promise<boolean> {
    return this.change(
      `update transfer_tasks_child c set status = 'IN_PROGRESS', start_time = coalesce(c.start_time, now())
from transfer_tasks_parent p
where p.id = $1 and ${MINE} and c.parent_id = p.id and c.id = any($3::bigint[]) and c.status in (${OPEN_CHILD})`,
      [parent.id, this.worker, ids],
    );
  }

  /** Marks children as arrived and counts them; a source of unknown size counts as what came. */
  complete(parent: ParentRow, done: ChildOutcome[]): Promise<boolean> {
    return this.change(
      `with d as (
  select * from unnest($3::bigint[], $4::bigint[]) as d(id, bytes)
), before as materialized (
  select c.id, d.bytes - c.bytes_transferred as more, d.bytes - c.total_bytes as wider, d.bytes
  from d join transfer_tasks_child c on c.id = d.id
  where c.parent_id = $1 and c.status in (${OPEN_CHILD})
    and exists (select from transfer_tasks_parent p where p.id = $1 and ${MINE})
  for update of c
), arrived as (
  update transfer_tasks_child c set status = 'COMPLETED', end_time = now(), start_time = coalesce(c.start_time, now()),
    bytes_transferred = b.bytes, total_bytes = b.bytes, error_message = null, next_retry = null
  from before b where c.id = b.id
) update transfer_tasks_parent p set files_done = files_done + a.files, bytes_transferred = bytes_transferred + a.more,
  total_bytes = total_bytes + a.wider
from (select count(*)::int as files, coalesce(sum(more), 0) as more, coalesce(sum(wider), 0) as wider from before) a
where p.id = $1 and ${MINE}`,
      [parent.id, this.worker, done.map((d) => d.id), done.map((d) => d.bytes)],
    );
  }

  /** How much of a file is safely stored, so that another try can go on there. */
  progress(parent: ParentRow, child: ChildRow, bytes: number): Promise<boolean> {
    return this.change(
      `with kept as (
  update transfer_tasks_child c set bytes_transferred = $4
  from transfer_tasks_parent p, transfer_tasks_child before
  where p.id = $1 and ${MINE} and c.id = $3 and c.parent_id = p.id and before.id = c.id and c.status in (${OPEN_CHILD})
  returning c.bytes_transferred - before.bytes_transferred as more
) update transfer_tasks_parent p set bytes_transferred = p.bytes_transferred + kept.more from kept
where p.id = $1 and ${MINE}`,
      [parent.id, this.worker, child.id, bytes],
    );
  }

  /** A child that is to be tried again at a time, or (without one) has failed for good. */
  setBack(child: ChildRow, message: string, at: Date | null): Promise<boolean> {
    return this.change(
      `update transfer_tasks_child set status = case when $3::timestamptz is null then 'FAILED' else 'ACCEPTED' end,
  retries = retries + 1, next_retry = $3, error_message = $2,
  end_time = case when $3::timestamptz is null then now() end
where id = $1 and status in (${OPEN_CHILD})`,
      [child.id, message, at],
    );
  }

  /**
   * Ends an element, and with it the transfer when this was the last one or when one failed that had to arrive.
   * The transfer's terminal state and its message go out in the same transaction.
   */
  async end(
    parent: ParentRow,
    status: 'COMPLETED' | 'FAILED',
    message: string | null,
  ): Promise<boolean> {
    const own = status === 'FAILED' && parent.optional ? 'FAILED_OPT' : status;
    return this.database.transaction(async (tx) => {
      const { rows } = await run<TransferRow>(
        tx,
        `select ${transferList('t')} from transfer_tasks t where id = $1 for update`,
        [parent.taskId],
      );
      const task = rows[0];
      // Children before their element, as everywhere: two orders would lock each other out.
      if (own !== 'COMPLETED') {
        await run(
          tx,
          `update transfer_tasks_child c set status = 'CANCELLED', end_time = now() from transfer_tasks_parent p
where p.id = $1 and ${MINE} and c.parent_id = p.id and c.status in (${OPEN_CHILD})`,
          [parent.id, this.worker],
        );
      }
      const { count } = await run(
        tx,
        `update transfer_tasks_parent p set status = $3, error_message = $4, final_message = $4, end_time = now(),
  claimed_by = null, lease_until = null, next_attempt = null where p.id = $1 and ${MINE}`,
        [parent.id, this.worker, own, message],
      );
      if (!count || !task) return false;
      if (own === 'FAILED') {
        await endTask(tx, this.outbox, task, 'FAILED', message);
        return true;
      }
      const left = await run<{ open: number }>(
        tx,
        `select count(*)::int as open from transfer_tasks_parent where task_id = $1 and status in (${OPEN_PARENT})`,
        [task.id],
      );
      if (left.rows[0]!.open === 0) await endTask(tx, this.outbox, task, 'COMPLETED', null);
      return true;
    });
  }

  private async change(sql: string, params: unknown[]): Promise<boolean> {
    const rows = await this.database.query(`${sql} returning 1 as done`, params);
    return rows.length > 0;
  }
}
