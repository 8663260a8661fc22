import { type Database, type Outbox, run } from '@libs/database';
import { transfersEnded, transfersWork } from '@libs/messages';
import type { EntityManager } from 'typeorm';
import {
  type ChildRow,
  childList,
  type NewTransfer,
  type ParentRow,
  parentList,
  type Totals,
  type TransferRow,
  transferList,
} from './transfer-rows';
import {
  CHILD_STATES,
  PARENT_STATES,
  sqlList,
  TRANSFER_STATES,
  type TransferStatus,
} from './transfer-states';

const OPEN_TASK = sqlList(TRANSFER_STATES.active);
const OPEN_PARENT = sqlList(PARENT_STATES.active);
const OPEN_CHILD = sqlList(CHILD_STATES.active);

/** Transfers as their requesters see them: made, looked at, cancelled. Every question carries the tenant. */
export class TransfersStore {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Stores a transfer with its elements and tells the workers, all in the caller's transaction. */
  async create(tx: EntityManager, transfer: NewTransfer): Promise<TransferRow & Totals> {
    const { uuid, tenant, username, tag, elements } = transfer;
    const { rows } = await run<TransferRow>(
      tx,
      `with made as (
  insert into transfer_tasks (uuid, tenant, username, tag) values ($1, $2, $3, $4) returning *
) select ${transferList('made')} from made`,
      [uuid, tenant, username, tag],
    );
    const row = rows[0]!;
    await run(
      tx,
      `insert into transfer_tasks_parent (task_id, tenant, username, tag, uuid, source_uri, destination_uri, optional,
  transfer_type, src_shared_ctx, dest_shared_ctx)
select $1, $2, $3, $4, e.uuid, e."sourceUri", e."destinationUri", e.optional, e."transferType", e."srcSharedCtx",
  e."destSharedCtx"
from rows from (jsonb_to_recordset($5::jsonb) as (uuid text, "sourceUri" text, "destinationUri" text,
  optional boolean, "transferType" text, "srcSharedCtx" text, "destSharedCtx" text)) with ordinality as e
order by ordinality`,
      [row.id, tenant, username, tag, JSON.stringify(elements)],
    );
    await this.outbox.add(tx, transfersWork, { uuid });
    return { ...row, ...NOTHING };
  }

  async find(tenant: string, uuid: string): Promise<(TransferRow & Totals) | undefined> {
    const rows = await this.database.query<TransferRow & Totals>(
      `select ${transferList('t')}, ${TOTALS} from transfer_tasks t ${WITH_TOTALS}
where t.tenant = $1 and t.uuid = $2`,
      [tenant, uuid],
    );
    return rows[0];
  }

  /** Transfers by their numbers, whatever their tenant: for workers. */
  findByIds(ids: number[]): Promise<(TransferRow & Totals)[]> {
    if (!ids.length) return Promise.resolve([]);
    return this.database.query(
      `select ${transferList('t')}, ${TOTALS} from transfer_tasks t ${WITH_TOTALS}
where t.id = any($1::bigint[])`,
      [ids],
    );
  }

  /** A user's transfers, newest first. */
  list(
    tenant: string,
    username: string,
    page: { limit: number; offset: number },
  ): Promise<(TransferRow & Totals)[]> {
    return this.database.query(
      `select ${transferList('t')}, ${TOTALS} from transfer_tasks t ${WITH_TOTALS}
where t.tenant = $1 and t.username = $2 order by t.id desc limit $3 offset $4`,
      [tenant, username, page.limit, page.offset],
    );
  }

  /** The elements of a transfer in the order they were given. */
  async parents(taskId: number, tx?: EntityManager): Promise<ParentRow[]> {
    const sql = `select ${parentList('p')} from transfer_tasks_parent p where task_id = $1 order by id`;
    if (tx) return (await run<ParentRow>(tx, sql, [taskId])).rows;
    return this.database.query(sql, [taskId]);
  }

  /** Files and directories of all elements of a transfer. */
  children(taskId: number): Promise<ChildRow[]> {
    return this.database.query(
      `select ${childList('c')} from transfer_tasks_child c
where parent_id in (select id from transfer_tasks_parent where task_id = $1) order by parent_id, id`,
      [taskId],
    );
  }

  /** Cancels what is still open; a transfer that is over stays as it is. Undefined when there is none. */
  cancel(tenant: string, uuid: string, by: string): Promise<TransferRow | undefined> {
    return this.database.transaction(async (tx) => {
      const { rows } = await run<TransferRow>(
        tx,
        `select ${transferList('t')} from transfer_tasks t where tenant = $1 and uuid = $2 for update`,
        [tenant, uuid],
      );
      const task = rows[0];
      if (!task || TRANSFER_STATES.isTerminal(task.status)) return task;
      return endTask(tx, this.outbox, task, 'CANCELLED', `cancelled by ${by}`);
    });
  }
}

/** Ends a transfer whose row the transaction has locked: what is open below it is stopped, and it is told. */
export async function endTask(
  tx: EntityManager,
  outbox: Outbox,
  task: Pick<TransferRow, 'id' | 'uuid' | 'tenant' | 'tag'>,
  status: TransferStatus,
  message: string | null,
): Promise<TransferRow> {
  const { rows } = await run<TransferRow>(
    tx,
    `with ended as (
  update transfer_tasks set status = $2, error_message = $3, end_time = now()
  where id = $1 and status in (${OPEN_TASK}) returning *
) select ${transferList('ended')} from ended`,
    [task.id, status, message],
  );
  if (status !== 'COMPLETED') {
    await run(
      tx,
      `update transfer_tasks_child set status = 'CANCELLED', end_time = now()
where parent_id in (select id from transfer_tasks_parent where task_id = $1) and status in (${OPEN_CHILD})`,
      [task.id],
    );
  }
  await run(
    tx,
    `update transfer_tasks_parent set status = 'CANCELLED', error_message = $2, end_time = now(), next_attempt = null,
  claimed_by = null, lease_until = null
where task_id = $1 and status in (${OPEN_PARENT})`,
    [task.id, message],
  );
  const { uuid, tenant, tag } = task;
  await outbox.add(tx, transfersEnded, { uuid, tenant, status, tag });
  return rows[0]!;
}

const NOTHING: Totals = {
  estimatedTotalBytes: 0,
  totalBytesTransferred: 0,
  totalTransfers: 0,
  completeTransfers: 0,
};
const TOTALS = `s."estimatedTotalBytes", s."totalBytesTransferred", s."totalTransfers", s."completeTransfers"`;
const WITH_TOTALS = `cross join lateral (
  select coalesce(sum(total_bytes), 0)::float8 as "estimatedTotalBytes",
    coalesce(sum(bytes_transferred), 0)::float8 as "totalBytesTransferred",
    coalesce(sum(files_total), 0)::int as "totalTransfers", coalesce(sum(files_done), 0)::int as "completeTransfers"
  from transfer_tasks_parent where task_id = t.id) s`;
