const find = (error: unknown, field: 'code' | 'constraint'): string | undefined => {
  const own = (error as Record<string, unknown>)?.[field];
  const driver = (error as { driverError?: Record<string, unknown> })?.driverError?.[field];
  return (driver ?? own) as string | undefined;
};

/** A row with this key exists already; optionally: by the constraint of this name. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  return (
    find(error, 'code') === '23505' && (!constraint || find(error, 'constraint') === constraint)
  );
}

/** The server went away or could not be reached: worth another try, not a fault of the statement. */
export function isConnectionLoss(error: unknown): boolean {
  const code = find(error, 'code') ?? '';
  return (
    /^(08|57P)/.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code)
  );
}

/** The server ended the connection on purpose: what ran on it is undone. */
export function isEndedByServer(error: unknown): boolean {
  return find(error, 'code') === '57P01';
}
