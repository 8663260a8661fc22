const MARK = Symbol.for('platform.recoverable');

/**
 * A failure that time may heal: a host that is away, a full queue, a service that restarts. Only
 * workers catch it, and choose by `condition` when to try again. Never shown to a caller as it is.
 */
export class Recoverable extends Error {
  readonly [MARK] = true;

  constructor(
    readonly condition: string,
    readonly text: string,
    options: { cause?: unknown } = {},
  ) {
    super(`${condition} ${text}`, options);
    this.name = new.target.name;
  }
}

/** Tells by a mark, not by class, for the same reason as isApiError. */
export function isRecoverable(error: unknown, condition?: string): error is Recoverable {
  const marked = typeof error === 'object' && error !== null && MARK in error;
  return marked && (condition === undefined || (error as Recoverable).condition === condition);
}
