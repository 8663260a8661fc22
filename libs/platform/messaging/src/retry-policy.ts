export interface RetryPolicy {
  /** Handed out this often at most, then set aside. */
  attempts: number;
  /** The wait before attempt `attempt + 1`. */
  backoffMs(attempt: number): number;
}

export const RETRIES: RetryPolicy = {
  attempts: 10,
  backoffMs: (attempt) => Math.min(200 * 4 ** (attempt - 1), 60_000),
};
