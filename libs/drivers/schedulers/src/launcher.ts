import type { LaunchPlan } from '@libs/job-runtimes';

/** What the host answered to a launch. */
export type LaunchAnswer =
  /** It runs, or has run, under this id: now, or since an earlier try. */
  | { kind: 'launched'; id: string }
  /** A launch is under way on the host, for instance an image is being fetched. */
  | { kind: 'launching' }
  /** The host refused it. */
  | { kind: 'refused'; text: string }
  /** The launch files are not there. */
  | { kind: 'missing' }
  /** It was launched, and what was launched is gone without a trace of how it ended. */
  | { kind: 'vanished' };

/** What is known of a launched job on its host. */
export type JobState =
  | { kind: 'active' }
  | { kind: 'launching' }
  | { kind: 'ended'; code: number; at?: Date }
  | { kind: 'refused'; text: string }
  /** Gone without having said how it ended; `code` is what the program itself left. */
  | { kind: 'vanished'; code?: number }
  /** Nothing can be said now. */
  | { kind: 'unknown'; why: string };

/** What a question about a job needs to know. */
export interface AskedJob {
  uuid: string;
  execDir: string;
  outputDir: string;
}

/** How jobs of one kind are watched: texts for a host, one for all jobs together, and their meaning. */
export interface Watching {
  readonly key: string;
  /** Asks about all these jobs at once. */
  ask(jobs: readonly AskedJob[]): string;
  /** Reads the answer; a job it does not speak of is unknown. */
  read(stdout: string, jobs: readonly AskedJob[]): Map<string, JobState>;
  /** A command that tells of ends by itself, beside the channel every launch script writes to; none for most. */
  readonly tells?: string;
}

/** A job kind (scheduler and runtime) on its host: text only. */
export interface Launcher extends Watching {
  /** The file name under which an image given as a URL has to be in the execution directory first. */
  fetches(image: string): string | undefined;
  /** The exit code of a job that vanished without leaving one; undefined: it then failed. */
  readonly vanishedCode: number | undefined;
  /** Throws `Unlaunchable`. */
  check(plan: LaunchPlan): void;
  /** What stands in the launch script and in the file of variables. */
  script(plan: LaunchPlan): string;
  envFile(plan: LaunchPlan): string;
  /** Writes the launch files and prepares the app; harmless when repeated, and after a launch. */
  stage(plan: LaunchPlan): string;
  /** Why staging failed, or undefined when it did not. */
  stageProblem(stdout: string): string | undefined;
  /** A one-line command for a channel of its own: launches unless an earlier try has. However often it runs, the app runs once. */
  launch(plan: LaunchPlan): string;
  readLaunch(stdout: string): LaunchAnswer;
  /** Ends everything the job has started, and makes sure that nothing more starts. */
  kill(plan: LaunchPlan): string;
  /** Removes what the launch kept on the host; only once the outcome is stored. */
  clear(plan: LaunchPlan): string;
}
