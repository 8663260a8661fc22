import type { LaunchPlan } from './launch-plan';

interface RuntimeBase {
  readonly name: string;
  /** Throws `Unlaunchable` for options that are reserved, unknown or not to be given. */
  check(plan: LaunchPlan): void;
  /** The file name under which an image given as a URL has to be in the execution directory; undefined: nothing has. */
  fetches(image: string): string | undefined;
  /** The file of environment variables. */
  envFile(plan: LaunchPlan): string;
  /**
   * Host text that gets the app ready once the launch files are there: runs in the execution directory, may call
   * `fail TEXT`. Empty when there is nothing to do.
   */
  prepare(plan: LaunchPlan): string;
  /** Files in the execution directory that nobody needs once the job is over. */
  leftovers(plan: LaunchPlan): string[];
}

/** The app is a process of the launch script, which waits for it. */
export interface ForegroundRuntime extends RuntimeBase {
  readonly detached: false;
  /** Text that loads the environment and ends in the app's own process; runs in a subshell of the script. */
  run(plan: LaunchPlan): string;
}

/** The app belongs to an engine on the host; the launch script only asks for it. */
export interface DetachedRuntime extends RuntimeBase {
  readonly detached: true;
  /** Command that starts the container, named by the job's uuid, and prints its id. */
  run(plan: LaunchPlan): string;
  /** Prints `id state` of the job's container; fails when there is none. */
  find(uuid: string): string;
  /** Starts a container that was made and never started. */
  resume(uuid: string): string;
  /** Prints lines for `readStates` about every container of the platform; fails when the engine does not answer. */
  readonly states: string;
  /** What `states` said of each job. */
  readStates(lines: readonly string[]): Map<string, ContainerState>;
  /** Prints `UUID CODE TIME` whenever a container ends; runs until it is killed. */
  readonly ends: string;
  /** Ends the container, whatever it does, and removes it; well if there is none. */
  remove(uuid: string): string;
}

export interface ContainerState {
  state: 'made' | 'active' | 'ended';
  code?: number;
  at?: Date;
}

/** How apps of one kind are prepared and started: text only, no connection. */
export type Runtime = ForegroundRuntime | DetachedRuntime;
