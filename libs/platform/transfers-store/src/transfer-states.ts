import { defineStates } from '@libs/jobs-model';

/** What a requester sees. Derived from the elements alone. */
export const TRANSFER_STATES = defineStates(
  {
    ACCEPTED: { kind: 'active', next: ['IN_PROGRESS'], says: 'stored, nobody works on it yet' },
    IN_PROGRESS: { kind: 'active', next: ['COMPLETED'], says: 'elements are being transferred' },
    COMPLETED: { kind: 'terminal', next: [], says: 'every element that had to arrive has arrived' },
    FAILED: { kind: 'terminal', next: [], says: 'an element that was not optional failed' },
    CANCELLED: { kind: 'terminal', next: [], says: 'its creator cancelled it' },
  },
  { interruptedBy: ['FAILED', 'CANCELLED'] },
);

/** One element of a transfer. */
export const PARENT_STATES = defineStates(
  {
    ACCEPTED: { kind: 'active', next: ['STAGING'], says: 'waits for a worker' },
    STAGING: { kind: 'active', next: ['STAGED', 'COMPLETED'], says: 'the source is being listed' },
    STAGED: { kind: 'active', next: ['IN_PROGRESS'], says: 'it is known what has to be copied' },
    IN_PROGRESS: { kind: 'active', next: ['COMPLETED'], says: 'files are being copied' },
    COMPLETED: { kind: 'terminal', next: [], says: 'everything arrived' },
    FAILED: { kind: 'terminal', next: [], says: 'something did not arrive' },
    FAILED_OPT: { kind: 'terminal', next: [], says: 'something did not arrive, which is allowed' },
    CANCELLED: { kind: 'terminal', next: [], says: 'stopped with the transfer' },
  },
  { interruptedBy: ['FAILED', 'FAILED_OPT', 'CANCELLED'] },
);

/** One file or directory of an element. */
export const CHILD_STATES = defineStates(
  {
    ACCEPTED: { kind: 'active', next: ['IN_PROGRESS', 'COMPLETED'], says: 'waits for its turn' },
    IN_PROGRESS: { kind: 'active', next: ['COMPLETED', 'ACCEPTED'], says: 'is being copied' },
    COMPLETED: { kind: 'terminal', next: [], says: 'arrived, its size was compared' },
    FAILED: { kind: 'terminal', next: [], says: 'cannot be copied' },
    CANCELLED: { kind: 'terminal', next: [], says: 'stopped with its element' },
  },
  { interruptedBy: ['FAILED', 'CANCELLED'] },
);

export type TransferStatus = (typeof TRANSFER_STATES.all)[number];
export type ParentStatus = (typeof PARENT_STATES.all)[number];
export type ChildStatus = (typeof CHILD_STATES.all)[number];

/** A list of states for SQL. The names are constants of this file. */
export const sqlList = (states: readonly string[]): string =>
  states.map((s) => `'${s}'`).join(', ');
