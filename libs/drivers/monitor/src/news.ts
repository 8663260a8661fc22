import type { HostError } from '@libs/hosts';
import type { AskedJob, JobState, Watching } from '@libs/schedulers';

/** A job to watch, and how its kind is watched. */
export interface WatchedJob extends AskedJob {
  watching: Watching;
}

/** What became known of a watched job. After an end, or when its host is away, the job is no longer watched. */
export type News =
  | Exclude<JobState, { kind: 'unknown' }>
  /** The host can't be asked any more. */
  | { kind: 'away'; error: HostError }
  /** The host answers, yet has had nothing to say about the job for too long. */
  | { kind: 'unseen'; why: string };

export type Tell = (uuid: string, news: News) => void;
