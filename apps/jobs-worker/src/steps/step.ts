import type { Host, HostLogin } from '@libs/hosts';
import type { BlockedCause, JobCondition, JobStatus } from '@libs/jobs-model';
import type { Job, JobPatch } from '@libs/jobs-store';
import type { LaunchPlan } from '@libs/job-runtimes';
import type { News } from '@libs/monitor';
import type { Launcher } from '@libs/schedulers';
import type { ExecSystem } from '../clients/exec-system';
import type { Tools } from '../runner/tools';

/** What a step found out. It never writes the status itself; the runner does, or drops it if the race was lost. */
export type StepResult =
  /** Go on to this status, at once. */
  | {
      to: JobStatus;
      via?: JobStatus[];
      message?: string;
      patch?: JobPatch;
      condition?: JobCondition;
    }
  /** The step has moved the job itself, in a transaction of its own. */
  | { moved: Job }
  /** The host will tell; looked at again at `until` if it does not. The worker keeps the job. */
  | { wait: 'host'; until?: Date }
  /** A message will tell; any worker looks again at `until` if it does not come. */
  | { wait: 'message'; until: Date }
  | { block: BlockedCause; key?: string; text: string };

/** Where a job runs. */
export interface Place {
  system: ExecSystem;
  login: HostLogin;
  host: Host;
  launcher: Launcher;
  plan: LaunchPlan;
}

/** `news` is what the host told since the last look. */
export type Step = (job: Job, tools: Tools, news?: News) => Promise<StepResult>;

/** The job can't go on, and trying again would not help. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';

  constructor(
    text: string,
    /** Default: the condition of the status it happened in. */
    readonly condition?: JobCondition,
  ) {
    super(text);
  }
}
