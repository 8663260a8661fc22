/** So many tries, so many seconds apart; no count means until the job has been blocked too long. */
export interface RecoverySpan {
  readonly tries?: number;
  readonly seconds: number;
}

const minute: readonly RecoverySpan[] = [{ seconds: 60 }];

/** Passing troubles that block a job, with the pace of trying again. */
export const BLOCKED_CAUSES = {
  QUOTA_EXCEEDED: { says: 'A quota of the system, queue or app is used up', spans: minute },
  SYSTEM_NOT_AVAILABLE: { says: 'A system is disabled', spans: minute },
  APPLICATION_NOT_AVAILABLE: { says: 'The app or its version is disabled', spans: minute },
  SERVICE_CONNECTION_FAILURE: {
    says: 'A service of the platform does not answer',
    spans: [
      { tries: 5, seconds: 60 },
      { tries: 30, seconds: 120 },
    ],
  },
  SSH_CONNECTION_FAILURE: {
    says: 'The host cannot be reached',
    spans: [
      { tries: 5, seconds: 60 },
      { tries: 5, seconds: 120 },
      { tries: 3, seconds: 300 },
    ],
  },
  SSH_CONNECTION_TIMEOUT: {
    says: 'The host does not answer in time',
    spans: [
      { tries: 5, seconds: 60 },
      { tries: 5, seconds: 120 },
      { tries: 10, seconds: 300 },
    ],
  },
  SSH_AUTHENTICATION_FAILED: {
    says: 'The host refuses the login',
    spans: [{ tries: 15, seconds: 60 }],
  },
  FIRST_SSH_AUTHENTICATION_FAILED: {
    says: 'The host refused the first login',
    spans: [{ tries: 3, seconds: 60 }],
  },
  TRANSMISSION_FAILURE: { says: 'Data was lost on the way', spans: [] },
  DATABASE_NOT_AVAILABLE: { says: 'The database does not answer', spans: [] },
  JOB_SUSPENDED: { says: 'The job is suspended', spans: [] },
} as const satisfies Record<string, { says: string; spans: readonly RecoverySpan[] }>;

export type BlockedCause = keyof typeof BLOCKED_CAUSES;

const DEFAULT_SPANS: readonly RecoverySpan[] = [
  { tries: 2, seconds: 10 },
  { tries: 10, seconds: 20 },
  { tries: 10, seconds: 60 },
  { tries: 100, seconds: 120 },
  { seconds: 300 },
];

/** No job stays blocked longer than this. */
export const MAX_BLOCKED_MS = 48 * 3600_000;

/**
 * When to try a blocked job again, or undefined when the policy is at its end. `attempts` counts the tries
 * already made, `pace` scales the waits (tests and impatient sites make it smaller than 1).
 */
export function nextAttempt(
  cause: BlockedCause,
  attempts: number,
  blockedSince: Date,
  now: Date,
  pace = 1,
): Date | undefined {
  const own: readonly RecoverySpan[] = BLOCKED_CAUSES[cause].spans;
  let left = attempts;
  for (const { tries, seconds } of own.length ? own : DEFAULT_SPANS) {
    if (tries !== undefined && left >= tries) {
      left -= tries;
      continue;
    }
    const at = new Date(now.getTime() + seconds * 1000 * pace);
    return at.getTime() - blockedSince.getTime() > MAX_BLOCKED_MS ? undefined : at;
  }
  return undefined;
}
