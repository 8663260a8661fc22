import { randomUUID } from 'node:crypto';
import { type Caller, requestContext } from '@libs/auth';
import { Database, Idempotency, Outbox } from '@libs/database';
import { BadInput, Forbidden, isApiError, NotFound, reply, type Reply } from '@libs/envelope';
import {
  type AppRecord,
  type JobRequestBody,
  placesOf,
  type ResolvedJob,
  resolveJob,
  type SystemRecord,
  wantsDtn,
} from '@libs/jobs-model';
import { type Job, JobsStore } from '@libs/jobs-store';
import { SecurityClient } from '@libs/security-client';
import { Log } from '@libs/service-kit';
import { Injectable } from '@nestjs/common';
import { AppsClient } from '../clients/apps.client';
import { FilesClient } from '../clients/files.client';
import { SystemsClient } from '../clients/systems.client';
import { directoriesToMake } from '../domain/directories-to-make';
import { jobRecord } from '../domain/job-record';
import { JobsApiSettings } from '../settings';

interface Owner {
  tenant: string;
  user: string;
}

interface Systems {
  execSystem: SystemRecord;
  archiveSystem?: SystemRecord;
  dtnSystem?: SystemRecord;
}

/** Everything from a request to a stored job that a worker will find. */
@Injectable()
export class SubmitActions {
  constructor(
    private readonly store: JobsStore,
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly idempotency: Idempotency,
    private readonly security: SecurityClient,
    private readonly apps: AppsClient,
    private readonly systems: SystemsClient,
    private readonly files: FilesClient,
    private readonly settings: JobsApiSettings,
    private readonly log: Log,
  ) {}

  /** `raw` is the request as it was sent: it is kept for a resubmission. */
  async submit(caller: Caller, request: JobRequestBody, raw: unknown): Promise<Reply<object>> {
    const owner = await this.ownerOf(caller, request);
    const app = await this.apps.get(owner, request.appId, request.appVersion);
    const systems = await this.systemsOf(owner, request, app);
    const job = await resolveJob({
      request,
      tenant: owner.tenant,
      owner: owner.user,
      uuid: `${randomUUID()}-007`,
      created: new Date(),
      app,
      ...systems,
      evaluate: (id, variable) =>
        this.systems.hostEval(owner, id, variable, this.settings.hostEvalWaitMs),
    });
    await this.checkProfile(owner, job, systems.execSystem);
    const made = await this.makeDirectories(owner, job);
    return this.keep(caller, job, raw, made);
  }

  /** The job's owner: the caller, or whom an administrator names. */
  private async ownerOf(caller: Caller, request: JobRequestBody): Promise<Owner> {
    const { tenant, user } = caller;
    if (request.tenant && request.tenant !== tenant) {
      const text = `tenant "${request.tenant}" is not the caller's tenant "${tenant}"`;
      throw new BadInput('JOBS_MISMATCHED_TENANT', text);
    }
    const owner = request.owner ?? user;
    if (owner !== user && !(await this.security.isAdmin({ tenant, user }))) {
      const text = `${user}@${tenant} is no administrator and can't submit jobs for ${owner}`;
      throw new Forbidden('SK_REQUESTOR_NOT_ADMIN', text);
    }
    return { tenant, user: owner };
  }

  private async systemsOf(owner: Owner, request: JobRequestBody, app: AppRecord): Promise<Systems> {
    const { execSystemId, archiveSystemId, ofApp } = placesOf(request, app);
    if (!execSystemId) {
      const text = `neither the request nor app "${app.id}" names an execution system`;
      throw new BadInput('JOBS_NO_EXEC_SYSTEM', text);
    }
    const shared = (isOfApp: boolean) => (isOfApp && app.sharedAppCtx) || undefined;
    const [execSystem, archiveSystem] = await Promise.all([
      this.systems.get(owner, execSystemId, { execute: true, sharedBy: shared(ofApp.exec) }),
      archiveSystemId &&
        this.systems.get(owner, archiveSystemId, { sharedBy: shared(ofApp.archive) }),
    ]);
    const dtn = wantsDtn(request, app) ? execSystem.dtnSystemId : undefined;
    const sharedBy = shared(ofApp.exec);
    return {
      execSystem,
      archiveSystem: archiveSystem || undefined,
      dtnSystem: dtn ? await this.systems.get(owner, dtn, { sharedBy }) : undefined,
    };
  }

  private async checkProfile(owner: Owner, job: ResolvedJob, system: SystemRecord): Promise<void> {
    const { batchSchedulerProfile: name } = job.definition.system;
    if (job.jobType !== 'BATCH' || !name || name === system.batchSchedulerProfile) return;
    try {
      await this.systems.requireProfile(owner, name);
    } catch (error) {
      if (!isApiError(error, 404)) throw error;
      throw new NotFound(
        'JOBS_SCHEDULER_PROFILE_NOT_FOUND',
        `scheduler profile "${name}" is unknown`,
        name,
      );
    }
  }

  /** Answers whether all directories are there; if not, the worker makes them. */
  private async makeDirectories(owner: Owner, job: ResolvedJob): Promise<boolean> {
    const { directoriesWaitMs } = this.settings;
    if (directoriesWaitMs <= 0) return false;
    try {
      const places = directoriesToMake(job);
      await Promise.all(places.map((place) => this.files.makeDir(owner, place, directoriesWaitMs)));
      return true;
    } catch (error) {
      this.log.info({ err: error, job: job.uuid }, 'directories are left to the worker');
      return false;
    }
  }

  private async keep(
    caller: Caller,
    resolved: ResolvedJob,
    raw: unknown,
    directoriesMade: boolean,
  ): Promise<Reply<object>> {
    const context = requestContext();
    const row = {
      ...resolved,
      createdby: caller.user,
      createdbyTenant: caller.tenant,
      trackingId: context?.trackingId ?? null,
      requestId: context?.requestId ?? null,
      traceparent: context?.traceparent ?? null,
      launch: directoriesMade ? { directoriesMade } : null,
      request: JSON.stringify(raw),
    };
    // One statement needs no transaction; remembering the answer makes two of it.
    const answer = context?.idempotency
      ? await this.db.transaction(async (tx) =>
          this.idempotency.answer(tx, created(await this.store.insert(tx, row))),
        )
      : created(await this.store.insert(this.db, row));
    this.outbox.nudge();
    this.log.info({ job: resolved.uuid, app: resolved.appId }, 'job submitted');
    return answer;
  }
}

function created(job: Job): Reply<object> {
  const text = `job ${job.uuid} of ${job.owner}@${job.tenant} is PENDING`;
  return reply('JOBS_CREATED', text, jobRecord({ ...job }), { status: 201 });
}
