import type { Environment } from './load-settings';

/** A copy of the process environment: the one place that reads it. */
export function environment(): Environment {
  return { ...process.env };
}
