import {
  type BlockedCause,
  JOB_STATES,
  type JobCondition,
  type JobStatus,
  type TerminalStatus,
} from '@libs/jobs-model';
import { changeableList } from './columns';
import type { JobEventData } from './job-event-row';
import { type Assignments, assignments, assignPatch, type JobPatch } from './job-patch';
import type { JobRow } from './job-row';
import { Params, type Sql } from './sql';

export interface Move {
  /** For people: `lastMessage` and the text of the history entry. The status's own sentence by default. */
  message?: string;
  /** Statuses passed on the way in this one statement; each gets its history entry. */
  via?: readonly JobStatus[];
  /** Why it ended: needed for a terminal status. */
  condition?: JobCondition;
  /** Why it is blocked and when to try again: needed for BLOCKED. */
  blocked?: { cause: BlockedCause; key?: string; nextCheckAt: Date };
  /** What else changes in the same statement; wins over the side effects of the move. */
  patch?: JobPatch;
  /** Only if this worker still holds the job. */
  worker?: string;
  /** Lets go of the job. Parked and terminal statuses always do. */
  release?: boolean;
  /** Puts `jobs.work` into the outbox: somebody has to go on with the job. */
  wake?: boolean;
}

/**
 * Moves a job: one statement that compares and sets the status, applies what follows from the move, writes the
 * history and the outbox. Answers the job as it is now, or undefined when it was not (any more) in the status
 * that the caller saw, or not in the caller's hands: whatever the caller found out is then to be dropped.
 * A move that the status table forbids is a programming error and throws.
 */
export async function moveJob<T extends JobRow>(
  sql: Sql,
  job: T,
  to: JobStatus,
  move: Move = {},
): Promise<T | undefined> {
  const path = [...(move.via ?? []), to];
  path.forEach((status, i) => {
    const from = i ? path[i - 1]! : job.status;
    if (!JOB_STATES.mayMove(from, status))
      throw new Error(`A job can't move from ${from} to ${status}`);
  });
  const params = new Params();
  const set = sideEffects(job, path, move, params);
  const events = historyOf(job, path, move);
  const { $ } = params;
  const rows: Partial<JobRow>[] = await sql.query(
    `with moved as (
  update jobs set ${assignments(set)}
  where uuid = ${$(job.uuid)} and tenant = ${$(job.tenant)} and status = ${$(job.status)}
  ${move.worker ? `and claimed_by = ${$(move.worker)}` : ''}
  returning *
), noted as (
  insert into job_events (tenant, job_uuid, event, event_detail, data)
  select m.tenant, m.uuid, e.event, e.detail, e.data
  from moved m, unnest(${$(events.map((e) => e.event))}::text[], ${$(events.map((e) => e.detail))}::text[],
    ${$(events.map((e) => JSON.stringify(e.data)))}::jsonb[]) with ordinality as e(event, detail, data, n)
  order by e.n
  returning id, job_uuid, tenant
), told as (
  insert into outbox (message, payload)
  select 'jobs.event', jsonb_build_object('uuid', job_uuid, 'tenant', tenant, 'id', max(id))
  from noted group by job_uuid, tenant
  ${move.wake ? `union all select 'jobs.work', jsonb_build_object('uuid', uuid) from moved` : ''}
)
select ${changeableList('m')} from moved m`,
    params.values,
  );
  return rows[0] && { ...job, ...rows[0] };
}

function sideEffects(job: JobRow, path: readonly JobStatus[], move: Move, params: Params) {
  const { $ } = params;
  const to = path.at(-1)!;
  const set: Assignments = new Map([
    ['status', $(to)],
    ['last_updated', 'now()'],
    ['last_message', $(messageOf(to, move))],
  ]);
  const terminal = JOB_STATES.isTerminal(to);
  if (job.status === 'BLOCKED' && !terminal) {
    for (const name of ['status', 'cause', 'key', 'since']) set.set(`blocked_${name}`, 'null');
    set.set('blocked_attempts', '0');
  }
  if (path.includes('QUEUED') || path.includes('RUNNING'))
    set.set('remote_submitted', 'coalesce(remote_submitted, now())');
  if (path.includes('RUNNING')) set.set('remote_started', 'coalesce(remote_started, now())');
  if (move.release || !JOB_STATES.isActive(to)) {
    set.set('claimed_by', 'null');
    set.set('lease_until', 'null');
  }
  if (to === 'PAUSED' || terminal) set.set('next_check_at', 'null');
  else if (move.wake || move.release) set.set('next_check_at', 'now()');
  if (to === 'BLOCKED') {
    if (!move.blocked) throw new Error('A move to BLOCKED says its cause');
    set.set('blocked_count', 'blocked_count + 1');
    set.set('blocked_status', $(path.at(-2) ?? job.status));
    set.set('blocked_cause', $(move.blocked.cause));
    set.set('blocked_key', $(move.blocked.key ?? null));
    set.set('blocked_since', 'now()');
    set.set('blocked_attempts', '0');
    set.set('next_check_at', `${$(move.blocked.nextCheckAt)}::timestamptz`);
  }
  if (terminal) {
    set.set('ended', 'now()');
    set.set('condition', $(conditionOf(to as TerminalStatus, move)));
  }
  assignPatch(set, move.patch ?? {}, params);
  return set;
}

function conditionOf(to: TerminalStatus, move: Move): JobCondition {
  if (move.condition) return move.condition;
  if (to === 'FINISHED') return 'NORMAL_COMPLETION';
  if (to === 'CANCELLED') return 'CANCELLED_BY_USER';
  throw new Error('A move to FAILED says its condition');
}

const messageOf = (to: JobStatus, move: Move) =>
  (move.message ?? JOB_STATES.table[to].says).slice(0, 16_384);

interface HistoryEntry {
  event: string;
  detail: string;
  data: JobEventData;
}

function historyOf(job: JobRow, path: readonly JobStatus[], move: Move): HistoryEntry[] {
  const last = path.length - 1;
  return path.flatMap((status, i): HistoryEntry[] => {
    const message = i === last ? messageOf(status, move) : JOB_STATES.table[status].says;
    const oldJobStatus = i ? path[i - 1]! : job.status;
    const entry = {
      event: 'JOB_NEW_STATUS',
      detail: status,
      data: { message, newJobStatus: status, oldJobStatus },
    };
    if (status !== 'FAILED') return [entry];
    const text = { message, jobStatus: oldJobStatus };
    return [{ event: 'JOB_ERROR_MESSAGE', detail: 'FINAL_MESSAGE', data: text }, entry];
  });
}
