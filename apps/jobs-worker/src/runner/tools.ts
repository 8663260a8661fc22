import { Database } from '@libs/database';
import { HostPool } from '@libs/hosts';
import { type Job, type JobPatch, JobsStore } from '@libs/jobs-store';
import { Monitor } from '@libs/monitor';
import { launcherOf } from '@libs/schedulers';
import { Injectable } from '@nestjs/common';
import { AppsClient } from '../clients/apps.client';
import { FilesClient } from '../clients/files.client';
import { Remembered } from '../clients/remembered';
import { SystemsClient } from '../clients/systems.client';
import { launchPlanOf } from '../domain/launch-plan-of';
import { JobsWorkerSettings } from '../settings';
import { JobFailure, type Place } from '../steps/step';
import { HostShells } from './host-shells';

/** The longest a text may take that has little to do. */
const COMMAND_MS = 60_000;
const PROBE_MS = 20_000;
const MAX_OUTPUT = 1024 * 1024;

/** What steps work with. */
@Injectable()
export class Tools {
  /** Since when ends are heard on the host of a job that this process launched. */
  readonly heardSince = new Map<string, number>();
  private readonly probes = new Remembered<void>(3_000);

  constructor(
    readonly store: JobsStore,
    readonly database: Database,
    readonly systems: SystemsClient,
    readonly apps: AppsClient,
    readonly files: FilesClient,
    readonly pool: HostPool,
    readonly shells: HostShells,
    readonly monitor: Monitor,
    readonly settings: JobsWorkerSettings,
  ) {}

  now(): Date {
    return new Date();
  }

  /** The job's host, login and plan; throws `JobFailure` for a kind of job that can't be launched. */
  async place(job: Job): Promise<Place> {
    const system = await this.systems.execSystem(job);
    const launcher = launcherOf(job.jobType, job.definition.app.runtime);
    if (!launcher)
      throw new JobFailure(
        `${job.definition.app.runtime} apps can't run as ${job.jobType} jobs`,
        'JOB_INVALID_DEFINITION',
      );
    const login = this.systems.login(job, system);
    const plan = launchPlanOf(job, system.rootDir ?? '/', launcher);
    return { system, login, host: this.pool.host(login), launcher, plan };
  }

  /** Runs a host text and answers what it printed. */
  run({ login }: Pick<Place, 'login'>, text: string): Promise<string> {
    return this.shells.run(login, text, { timeoutMs: COMMAND_MS, maxOutput: MAX_OUTPUT });
  }

  /** The same for a text that may take long. */
  runLong({ login }: Pick<Place, 'login'>, text: string): Promise<string> {
    const timeoutMs = this.settings.commandSeconds * 1000;
    return this.shells.run(login, text, { timeoutMs, maxOutput: MAX_OUTPUT });
  }

  /** Like `probe`, for many jobs at once: what was found a moment ago counts. */
  probed(job: Job): Promise<void> {
    const key = `${job.tenant} ${job.owner} ${job.execSystemId}`;
    return this.probes.get(key, async () => this.probe(await this.place(job)));
  }

  /** Resolves if the host lets us in; throws what is wrong otherwise. */
  async probe({ host }: Pick<Place, 'host'>): Promise<void> {
    await host.exec(':', { timeoutMs: PROBE_MS });
  }

  /** Notes facts about a job that stays where it is. */
  async note(job: Job, patch: JobPatch): Promise<Job> {
    return (await this.store.patch(job, patch, { worker: job.claimedBy ?? undefined })) ?? job;
  }
}
