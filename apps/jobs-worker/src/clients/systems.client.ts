import type { HostLogin } from '@libs/hosts';
import type { JobRow } from '@libs/jobs-store';
import { path, ServiceClient } from '@libs/service-client';
import { Injectable } from '@nestjs/common';
import { type ExecSystem, loginOf } from './exec-system';
import { Remembered } from './remembered';

/** How long a system may have been changed before a job takes notice. */
const REMEMBERED_MS = 10_000;

/** The systems service in the name of a job's owner. */
@Injectable()
export class SystemsClient {
  private readonly remembered = new Remembered<ExecSystem>(REMEMBERED_MS);

  constructor(private readonly client: ServiceClient) {}

  /** The execution system of a job, with the credential to use. */
  execSystem(job: JobRow): Promise<ExecSystem> {
    return this.remembered.get(keyOf(job), () => this.fetch(job));
  }

  /** Forgets what is known, so that a changed credential is seen at once. */
  forget(job: JobRow): void {
    this.remembered.forget(keyOf(job));
  }

  /** How to log in for this job. The key of a host that has none pinned yet is pinned at the first contact. */
  login(job: JobRow, system: ExecSystem): HostLogin {
    return loginOf(system, async (fingerprint) => {
      const body = { fingerprint };
      await this.calls(job).post('systems', path`/v3/systems/${system.id}/hostKey`, { body });
      this.forget(job);
    });
  }

  private fetch(job: JobRow): Promise<ExecSystem> {
    const query = { returnCredentials: true, sharedAppCtx: sharedBy(job, 'SAC_EXEC_SYSTEM_ID') };
    return this.calls(job).get('systems', path`/v3/systems/${job.execSystemId}`, { query });
  }

  private calls({ tenant, owner, trackingId }: JobRow) {
    return this.client.for({ tenant, user: owner, trackingId: trackingId ?? undefined });
  }
}

/** Who shared the app that lends the job a right, if it does. */
export const sharedBy = (job: JobRow, attribute: string): string | undefined =>
  job.sharedAppCtxAttribs.includes(attribute) ? job.sharedAppCtx || undefined : undefined;

const keyOf = (job: JobRow): string =>
  JSON.stringify([
    job.tenant,
    job.owner,
    job.execSystemId,
    sharedBy(job, 'SAC_EXEC_SYSTEM_ID') ?? '',
  ]);
