export interface MonitorOptions {
  /** A name of this process that no other process uses at the same time: letters, digits, hyphens. */
  listener: string;
  /** The net below the signals: first question so long after a watch begins, each later one twice as late. */
  firstAskMs: number;
  lastAskMs: number;
  /** The same for a login that has no place for a signal channel. */
  lastDeafAskMs: number;
  /** Waits before trying a lost host again; after the last one its jobs are told that it is away. */
  retryMs: readonly number[];
  /** How long the host may have nothing to say about a job. */
  unseenMs: number;
  /** A host without watched jobs is let go of after this time. */
  idleMs: number;
  /** The longest a question or the opening of the channel may take. */
  timeoutMs: number;
}

export const DEFAULTS: Omit<MonitorOptions, 'listener'> = {
  firstAskMs: 5_000,
  lastAskMs: 60_000,
  lastDeafAskMs: 5_000,
  retryMs: [0, 500, 2_000],
  unseenMs: 3_600_000,
  idleMs: 60_000,
  timeoutMs: 60_000,
};
