import type { Caller } from '@libs/auth';
import { NotFound } from '@libs/envelope';
import { type Job, JobsStore } from '@libs/jobs-store';
import { SecurityClient } from '@libs/security-client';
import { Injectable } from '@nestjs/common';
import { SHARED_PARTS, type ShareRecord, type SharedPart } from '../domain/share';
import { JobAccess } from './job-access';

/** Sharing parts of a job with other users of the tenant; the shares live in the security kernel. */
@Injectable()
export class ShareActions {
  constructor(
    private readonly store: JobsStore,
    private readonly access: JobAccess,
    private readonly security: SecurityClient,
  ) {}

  async share(caller: Caller, uuid: string, grantee: string, parts: readonly SharedPart[]) {
    const job = await this.shareable(caller, uuid);
    for (const part of parts) {
      await this.security.share({ ...keyOf(job, part), grantee });
      await this.tell(job, caller, 'SHARE', grantee, part);
    }
  }

  async list(caller: Caller, uuid: string): Promise<ShareRecord[]> {
    const job = await this.shareable(caller, uuid);
    const shares = await this.security.shares({ tenant: job.tenant, resourceId1: uuid });
    return shares
      .filter((share) => SHARED_PARTS.includes(share.resourceType as SharedPart))
      .map(({ tenant, grantor, grantee, resourceType, privilege, created }) => ({
        tenant,
        createdby: grantor,
        jobUuid: uuid,
        grantee,
        jobResource: resourceType,
        jobPermission: privilege,
        created,
      }));
  }

  /** Takes back every share of the job with this user; answers how many. */
  async unshare(caller: Caller, uuid: string, grantee: string): Promise<number> {
    const mine = (await this.list(caller, uuid)).filter((share) => share.grantee === grantee);
    const job = await this.shareable(caller, uuid);
    for (const { jobResource } of mine) {
      const part = jobResource as SharedPart;
      await this.security.unshare({ ...keyOf(job, part), grantee });
      await this.tell(job, caller, 'UNSHARE', grantee, part);
    }
    return mine.length;
  }

  private async shareable(caller: Caller, uuid: string): Promise<Job> {
    const job = await this.access.toChange(caller, uuid);
    if (job.visible) return job;
    throw new NotFound('JOBS_JOB_NOT_VISIBLE', `job ${uuid} is hidden`, uuid);
  }

  private async tell(
    job: Job,
    caller: Caller,
    shareType: string,
    grantee: string,
    part: SharedPart,
  ) {
    const message = `${part} of the job ${shareType === 'SHARE' ? 'shared with' : 'no longer shared with'} ${grantee}`;
    await this.store.addEvent(job, {
      event: 'JOB_SHARE_EVENT',
      detail: `${shareType}_${part}_READ`,
      data: { message, resourceType: part, shareType, grantee, grantor: caller.user },
    });
  }
}

const keyOf = ({ tenant, owner, uuid }: Job, part: SharedPart) => ({
  tenant,
  grantor: owner,
  resourceType: part,
  resourceId1: uuid,
  privilege: 'READ',
});
