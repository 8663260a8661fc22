import { isConnectionLoss } from '@libs/database';
import { isApiError, isRecoverable } from '@libs/envelope';
import { isHostError } from '@libs/hosts';
import {
  type ActiveStatus,
  BLOCKED_CAUSES,
  type BlockedCause,
  CONDITION_OF_FAILED_STATUS,
  type JobCondition,
} from '@libs/jobs-model';
import type { JobRow } from '@libs/jobs-store';
import { Unlaunchable } from '@libs/job-runtimes';
import { JobFailure } from '../steps/step';

/** What an error in a step means for the job. */
export type Trouble =
  | { kind: 'block'; cause: BlockedCause; key?: string; text: string }
  | { kind: 'fail'; condition: JobCondition; text: string; unexpected?: boolean }
  /** Nothing can be stored: somebody looks at the job again later. */
  | { kind: 'later' };

export function troubleOf(error: unknown, job: JobRow): Trouble {
  const text = error instanceof Error ? error.message : String(error);
  const condition = CONDITION_OF_FAILED_STATUS[job.status as ActiveStatus] ?? 'JOB_INTERNAL_ERROR';
  if (error instanceof JobFailure)
    return { kind: 'fail', condition: error.condition ?? condition, text };
  if (error instanceof Unlaunchable) return { kind: 'fail', condition, text };
  if (isHostError(error)) {
    const cause = hostCause(error.kind, job);
    if (!cause) return { kind: 'fail', condition, text };
    const key = `${error.user}@${error.host}:${error.port}`;
    return { kind: 'block', cause, key, text: `System ${job.execSystemId}: ${text}` };
  }
  if (isRecoverable(error)) {
    const known = error.condition in BLOCKED_CAUSES;
    const cause = known ? (error.condition as BlockedCause) : 'SERVICE_CONNECTION_FAILURE';
    const key = /^(FIRST_)?SSH/.test(cause) ? `${job.owner}@${job.execSystemId}` : undefined;
    return { kind: 'block', cause, key, text: error.text };
  }
  if (isApiError(error)) {
    const passing = error.status === 429 || (error.status >= 502 && error.status <= 504);
    if (passing) return { kind: 'block', cause: 'SERVICE_CONNECTION_FAILURE', text };
    return { kind: 'fail', condition, text };
  }
  if (isConnectionLoss(error)) return { kind: 'later' };
  return { kind: 'fail', condition: 'JOB_INTERNAL_ERROR', text, unexpected: true };
}

function hostCause(kind: string, job: JobRow): BlockedCause | undefined {
  switch (kind) {
    case 'unreachable':
      return 'SSH_CONNECTION_FAILURE';
    case 'timeout':
      return 'SSH_CONNECTION_TIMEOUT';
    case 'login-refused':
    case 'host-key-changed':
      // The first contact of a job with its host is the one that makes its directories.
      return job.status === 'PROCESSING_INPUTS'
        ? 'FIRST_SSH_AUTHENTICATION_FAILED'
        : 'SSH_AUTHENTICATION_FAILED';
    default:
      return undefined;
  }
}
