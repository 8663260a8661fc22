import { type Runtime, RUNTIMES, type RuntimeName } from '@libs/job-runtimes';
import { forkDetached } from './fork/detached';
import { forkForeground } from './fork/foreground';
import type { Launcher } from './launcher';

/** FORK: the app starts at once on the host itself. */
export const fork = (runtime: Runtime): Launcher =>
  runtime.detached ? forkDetached(runtime) : forkForeground(runtime);

/** What takes jobs on a host, by the job's type. */
const SCHEDULERS = { FORK: fork } as const;
export type SchedulerName = keyof typeof SCHEDULERS;

const made = new Map<string, Launcher>();

/** The launcher of a combination, or undefined when the platform has none for it. */
export function launcherOf(scheduler: string, runtime: string): Launcher | undefined {
  const key = `${scheduler} ${runtime}`;
  if (!made.has(key) && scheduler in SCHEDULERS && runtime in RUNTIMES)
    made.set(key, SCHEDULERS[scheduler as SchedulerName](RUNTIMES[runtime as RuntimeName]));
  return made.get(key);
}

/** Every combination there is. */
export function launchers(): Launcher[] {
  return Object.keys(SCHEDULERS).flatMap((scheduler) =>
    Object.keys(RUNTIMES).flatMap((runtime) => launcherOf(scheduler, runtime) ?? []),
  );
}
