import { defineStates } from './define-states';

/** The life of a job. Interruptions are one rule: see below the table. */
export const JOB_STATES = defineStates(
  {
    PENDING: {
      kind: 'active',
      next: ['PROCESSING_INPUTS'],
      says: 'Accepted, waiting for a worker and for room in the quotas',
    },
    PROCESSING_INPUTS: {
      kind: 'active',
      next: ['STAGING_INPUTS'],
      says: 'Making the directories of the job',
    },
    STAGING_INPUTS: {
      kind: 'active',
      next: ['STAGING_JOB'],
      says: 'Copying the inputs to the execution system',
    },
    STAGING_JOB: {
      kind: 'active',
      next: ['SUBMITTING_JOB'],
      says: 'Writing the launch files of the application',
    },
    SUBMITTING_JOB: {
      kind: 'active',
      next: ['QUEUED', 'RUNNING'],
      says: 'Launching the application or handing it to the batch scheduler',
    },
    QUEUED: { kind: 'active', next: ['RUNNING'], says: 'Waiting on the execution system' },
    RUNNING: { kind: 'active', next: ['ARCHIVING'], says: 'The application runs' },
    ARCHIVING: {
      kind: 'active',
      next: ['FINISHED', 'FAILED'],
      says: 'Copying the outputs to the archive system',
    },
    BLOCKED: {
      kind: 'parked',
      next: ['PAUSED', 'FINISHED', 'CANCELLED', 'FAILED'],
      says: 'Waiting for a passing trouble to end; will be tried again',
    },
    PAUSED: {
      kind: 'parked',
      next: ['FINISHED', 'CANCELLED', 'FAILED'],
      says: 'Held back until it is resumed',
    },
    FINISHED: { kind: 'terminal', next: [], says: 'The application ended well' },
    CANCELLED: { kind: 'terminal', next: [], says: 'Cancelled by a user' },
    FAILED: { kind: 'terminal', next: [], says: 'Ended with an error' },
  },
  { interruptedBy: ['BLOCKED', 'PAUSED', 'CANCELLED', 'FAILED'], parkedResume: true },
);

export type JobStatus = (typeof JOB_STATES.all)[number];
export type ActiveStatus = (typeof JOB_STATES.active)[number];
export type ParkedStatus = (typeof JOB_STATES.parked)[number];
export type TerminalStatus = (typeof JOB_STATES.terminal)[number];
