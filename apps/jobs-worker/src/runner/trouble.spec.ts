import { ApiError, Recoverable } from '@libs/envelope';
import {
  CommandFailed,
  HostKeyChanged,
  HostTimeout,
  HostUnreachable,
  LoginRefused,
} from '@libs/hosts';
import type { JobRow } from '@libs/jobs-store';
import { Unlaunchable } from '@libs/job-runtimes';
import { JobFailure } from '../steps/step';
import { troubleOf } from './trouble';

const place = { host: 'h', port: 22, user: 'u' };
const job = (status: string) => ({ status, owner: 'o', execSystemId: 'sys' }) as JobRow;

it.each([
  [new HostUnreachable(place, 'x'), 'RUNNING', { kind: 'block', cause: 'SSH_CONNECTION_FAILURE', key: 'u@h:22' }],
  [new HostTimeout(place, 'x'), 'RUNNING', { kind: 'block', cause: 'SSH_CONNECTION_TIMEOUT' }],
  [new LoginRefused(place, 'x'), 'PROCESSING_INPUTS', { kind: 'block', cause: 'FIRST_SSH_AUTHENTICATION_FAILED' }],
  [new LoginRefused(place, 'x'), 'RUNNING', { kind: 'block', cause: 'SSH_AUTHENTICATION_FAILED' }],
  [new HostKeyChanged(place, ['a'], 'b'), 'RUNNING', { kind: 'block', cause: 'SSH_AUTHENTICATION_FAILED' }],
  [new CommandFailed(place, 'x'), 'ARCHIVING', { kind: 'fail', condition: 'JOB_ARCHIVING_FAILED' }],
  [new Recoverable('SSH_CONNECTION_TIMEOUT', 'x'), 'RUNNING', { kind: 'block', cause: 'SSH_CONNECTION_TIMEOUT' }],
  [new Recoverable('SOMETHING', 'x'), 'RUNNING', { kind: 'block', cause: 'SERVICE_CONNECTION_FAILURE' }],
  [new ApiError(503, 'X', 'x'), 'PENDING', { kind: 'block', cause: 'SERVICE_CONNECTION_FAILURE' }],
  [new ApiError(429, 'X', 'x'), 'PENDING', { kind: 'block', cause: 'SERVICE_CONNECTION_FAILURE' }],
  [new ApiError(403, 'X', 'x'), 'STAGING_INPUTS', { kind: 'fail', condition: 'JOB_UNABLE_TO_STAGE_INPUTS' }],
  [new Unlaunchable('x'), 'STAGING_JOB', { kind: 'fail', condition: 'JOB_UNABLE_TO_STAGE_JOB' }],
  [new JobFailure('x'), 'SUBMITTING_JOB', { kind: 'fail', condition: 'JOB_LAUNCH_FAILURE' }],
  [new JobFailure('x', 'JOB_INVALID_DEFINITION'), 'PENDING', { kind: 'fail', condition: 'JOB_INVALID_DEFINITION' }],
  [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'RUNNING', { kind: 'later' }],
  [new TypeError('x'), 'RUNNING', { kind: 'fail', condition: 'JOB_INTERNAL_ERROR', unexpected: true }],
])('%s in %s', (error, status, trouble) => {
  expect(troubleOf(error, job(status))).toMatchObject(trouble);
}); // prettier-ignore
