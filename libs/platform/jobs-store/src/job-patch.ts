import { JOB_COLUMN } from './columns';
import type { JobRow } from './job-row';
import type { Params } from './sql';

/** What may be set on a job beside its status. */
export const PATCHABLE = [
  'lastMessage', 'visible', 'tags', 'notes',
  'remoteSubmitRetries', 'remoteChecksSuccess', 'remoteChecksFailed',
  'remoteJobId', 'remoteJobId2', 'remoteOutcome', 'remoteResultInfo', 'remoteQueue',
  'remoteSubmitted', 'remoteStarted', 'remoteEnded', 'remoteLastStatusCheck',
  'inputTransactionId', 'inputCorrelationId', 'archiveTransactionId', 'archiveCorrelationId',
  'stageAppTransactionId', 'stageAppCorrelationId', 'dtnInputTransactionId', 'dtnInputCorrelationId',
  'dtnOutputTransactionId', 'dtnOutputCorrelationId',
  'nextCheckAt', 'blockedCause', 'blockedKey', 'blockedSince', 'blockedAttempts', 'launch',
] as const satisfies readonly (keyof JobRow)[]; // prettier-ignore
export type JobPatch = Partial<Pick<JobRow, (typeof PATCHABLE)[number]>>;
const patchable: ReadonlySet<string> = new Set(PATCHABLE);

/** Assignments by column, so that a later one of the same column replaces an earlier one. */
export type Assignments = Map<string, string>;

/** Adds the patch's attributes; one that may not be set is a programming error. */
export function assignPatch(set: Assignments, patch: JobPatch, params: Params): void {
  for (const [attribute, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const facts = JOB_COLUMN.get(attribute);
    if (!facts || !patchable.has(attribute)) throw new Error(`${attribute} of a job can't be set`);
    const bound = facts.type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
    set.set(facts.column, `${params.$(bound)}::${facts.type}`);
  }
}

export const assignments = (set: Assignments): string =>
  [...set].map(([column, value]) => `${column} = ${value}`).join(', ');
