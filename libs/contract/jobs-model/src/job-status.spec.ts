import { JOB_STATES } from './job-status';
import { nextAttempt } from './blocked-cause';
import { defineStates } from './define-states';

describe('the life of a job', () => {
  it.each([
    ['PENDING', 'PROCESSING_INPUTS', true],
    ['PENDING', 'STAGING_INPUTS', false],
    ['SUBMITTING_JOB', 'RUNNING', true],
    ['QUEUED', 'ARCHIVING', false],
    ['RUNNING', 'RUNNING', true],
    ['RUNNING', 'BLOCKED', true],
    ['BLOCKED', 'RUNNING', true],
    ['BLOCKED', 'PAUSED', true],
    ['PAUSED', 'BLOCKED', false],
    ['PAUSED', 'FINISHED', true],
    ['BLOCKED', 'CANCELLED', true],
    ['RUNNING', 'FINISHED', false],
    ['FINISHED', 'CANCELLED', false],
    ['FAILED', 'FAILED', false],
    ['nonsense', 'FAILED', false],
  ])('%s to %s: %s', (from, to, allowed) => {
    expect(JOB_STATES.mayMove(from, to)).toBe(allowed);
  });

  it('derives its sets from the table', () => {
    expect(JOB_STATES.active).toHaveLength(8);
    expect(JOB_STATES.parked).toEqual(['BLOCKED', 'PAUSED']);
    expect(JOB_STATES.terminal).toEqual(['FINISHED', 'CANCELLED', 'FAILED']);
    expect(JOB_STATES.sourcesOf('FINISHED')).toEqual(['ARCHIVING', 'BLOCKED', 'PAUSED']);
    expect(JOB_STATES.sourcesOf('CANCELLED')).toHaveLength(10);
    expect(JOB_STATES.diagram()).toContain('RUNNING --> ARCHIVING');
  });

  it('refuses a table that contradicts itself', () => {
    expect(() => defineStates({ A: { kind: 'active', next: ['B'], says: '' } })).toThrow(
      'unknown B',
    );
    expect(() => defineStates({ A: { kind: 'terminal', next: ['A'], says: '' } })).toThrow(
      'terminal',
    );
  });
});

describe('trying a blocked job again', () => {
  const since = new Date('2026-01-01T00:00:00Z');
  const waits = (cause: Parameters<typeof nextAttempt>[0], attempts: number) => {
    const at = nextAttempt(cause, attempts, since, since);
    return at && (at.getTime() - since.getTime()) / 1000;
  };
  it.each([
    ['QUOTA_EXCEEDED', 1000, 60],
    ['SSH_CONNECTION_FAILURE', 4, 60],
    ['SSH_CONNECTION_FAILURE', 5, 120],
    ['SSH_CONNECTION_FAILURE', 12, 300],
    ['SSH_CONNECTION_FAILURE', 13, undefined],
    ['SSH_AUTHENTICATION_FAILED', 15, undefined],
    ['JOB_SUSPENDED', 0, 10],
    ['JOB_SUSPENDED', 122, 300],
  ] as const)('%s after %s tries: %s s', (cause, attempts, seconds) => {
    expect(waits(cause, attempts)).toBe(seconds);
  });

  it('ends after 48 hours', () => {
    const late = new Date(since.getTime() + 48 * 3600_000);
    expect(nextAttempt('QUOTA_EXCEEDED', 1, since, late)).toBeUndefined();
  });
});
