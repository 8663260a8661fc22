import type { Caller } from '@libs/auth';
import { Forbidden, NotFound } from '@libs/envelope';
import { type Job, JobsStore } from '@libs/jobs-store';
import { SecurityClient } from '@libs/security-client';
import { Injectable } from '@nestjs/common';

/** Parts of a job that its owner may share. */
export type Shared = 'JOB_HISTORY' | 'JOB_OUTPUT' | 'JOB_RESUBMIT_REQUEST';

const FORM = /^[\w-]{1,64}$/;
const unknown = (uuid: string) =>
  new NotFound('JOBS_JOB_NOT_FOUND', `job ${uuid} is unknown`, uuid);

/** Finds jobs for whoever may see them; a job of somebody else looks like one that is not there. */
@Injectable()
export class JobAccess {
  constructor(
    private readonly store: JobsStore,
    private readonly security: SecurityClient,
  ) {}

  /** A visible job that the caller may read: owner, submitter, tenant admin, or whom this part is shared with. */
  async toRead(caller: Caller, uuid: string, part: Shared): Promise<Job> {
    const job = await this.find(caller, uuid);
    const may = (await this.owns(caller, job)) || (await this.isShared(caller, job, part));
    if (!may) throw await this.refusal(caller, job, `${part} of job ${uuid} is not shared`);
    return visible(job);
  }

  /** A job that the caller may act on: owner, submitter, tenant admin. */
  async toChange(caller: Caller, uuid: string): Promise<Job> {
    const job = await this.find(caller, uuid);
    if (await this.owns(caller, job)) return job;
    throw await this.refusal(caller, job, `job ${uuid} is shared for reading only`);
  }

  /** A job whose request the caller may send again; hidden ones too. */
  async toResubmit(caller: Caller, uuid: string): Promise<Job> {
    const job = await this.find(caller, uuid);
    if (await this.owns(caller, job)) return job;
    if (await this.isShared(caller, job, 'JOB_RESUBMIT_REQUEST')) return job;
    throw await this.refusal(caller, job, `the request of job ${uuid} is not shared`);
  }

  /** Whoever sees the job is told why not; for everybody else it is not there. */
  private async refusal(caller: Caller, job: Job, why: string): Promise<Error> {
    const sees = job.visible && (await this.isShared(caller, job, 'JOB_HISTORY'));
    if (!sees) return unknown(job.uuid);
    return new Forbidden('JOBS_JOB_ACTION_NOT_AUTHORIZED', `${why} with ${caller.user}`);
  }

  private async find(caller: Caller, uuid: string): Promise<Job> {
    const job = FORM.test(uuid) ? await this.store.find(caller.tenant, uuid) : undefined;
    if (!job) throw unknown(uuid);
    return job;
  }

  private async owns({ tenant, user }: Caller, job: Job): Promise<boolean> {
    if (job.owner === user) return true;
    if (job.createdby === user && job.createdbyTenant === tenant) return true;
    return this.security.isAdmin({ tenant, user });
  }

  private isShared({ tenant, user }: Caller, job: Job, resourceType: Shared): Promise<boolean> {
    const resourceId1 = job.uuid;
    return this.security.hasPrivilege({
      tenant,
      grantee: user,
      resourceType,
      resourceId1,
      privilege: 'READ',
    });
  }
}

function visible(job: Job): Job {
  if (job.visible) return job;
  throw new NotFound('JOBS_JOB_NOT_VISIBLE', `job ${job.uuid} is hidden`, job.uuid);
}
