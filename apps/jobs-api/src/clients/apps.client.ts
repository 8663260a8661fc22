import type { AppRecord } from '@libs/jobs-model';
import { type OnBehalfOf, path, ServiceClient } from '@libs/service-client';
import { Injectable } from '@nestjs/common';

/** The apps service, as a submission needs it. */
@Injectable()
export class AppsClient {
  constructor(private readonly client: ServiceClient) {}

  /** A version of an app that the owner may run; 404 and 403 come from the apps service. */
  get(owner: OnBehalfOf, id: string, version: string): Promise<AppRecord> {
    return this.client
      .for(owner)
      .get('apps', path`/v3/apps/${id}/${version}`, { query: { requireExecPerm: true } });
  }
}
