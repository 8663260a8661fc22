import type { SystemRecord } from '@libs/jobs-model';
import { type OnBehalfOf, path, ServiceClient } from '@libs/service-client';
import { Injectable } from '@nestjs/common';

/** The systems service, as a submission needs it. */
@Injectable()
export class SystemsClient {
  constructor(private readonly client: ServiceClient) {}

  /** A system that the owner may see or, with `execute`, run jobs on, also through an app that `sharedBy` shared. */
  get(
    owner: OnBehalfOf,
    id: string,
    { execute = false, sharedBy }: { execute?: boolean; sharedBy?: string } = {},
  ): Promise<SystemRecord> {
    const query = { requireExecPerm: execute || undefined, sharedAppCtx: sharedBy };
    return this.client.for(owner).get('systems', path`/v3/systems/${id}`, { query });
  }

  /** A variable of the environment on the system's host, of the user that the job runs as. */
  async hostEval(
    owner: OnBehalfOf,
    id: string,
    variable: string,
    timeoutMs: number,
  ): Promise<string | undefined> {
    const url = path`/v3/systems/${id}/hostEval/${variable}`;
    const answer = await this.client
      .for(owner)
      .get<{ name?: string }>('systems', url, { timeoutMs });
    return answer?.name;
  }

  /** Throws 404 when there is no such profile. */
  async requireProfile(owner: OnBehalfOf, name: string): Promise<void> {
    await this.client.for(owner).get('systems', path`/v3/systems/schedulerProfile/${name}`);
  }
}
