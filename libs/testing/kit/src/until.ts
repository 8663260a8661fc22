import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until the function answers something truthy (or stops throwing) and passes that on; for what sends no event.
 * After the deadline the last error, or one that says so, is thrown.
 */
export async function until<T>(
  look: () => T | Promise<T>,
  deadlineMs = 30_000,
  everyMs = 20,
): Promise<NonNullable<T>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    let problem: unknown;
    try {
      const seen = await look();
      if (seen) return seen;
    } catch (error) {
      problem = error;
    }
    if (Date.now() >= end)
      throw problem ?? new Error(`still not so after ${deadlineMs} ms: ${look.toString()}`);
    await delay(everyMs);
  }
}
