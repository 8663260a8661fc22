import { isApiError } from '@libs/envelope';
import type { JobRow } from '@libs/jobs-store';
import { path, ServiceClient } from '@libs/service-client';
import { Injectable } from '@nestjs/common';
import { Remembered } from './remembered';

/** The apps service in the name of a job's owner. */
@Injectable()
export class AppsClient {
  private readonly remembered = new Remembered<boolean>(10_000);

  constructor(private readonly client: ServiceClient) {}

  /** Forgets what is known, so that a change is seen at once. */
  forget(job: JobRow): void {
    this.remembered.forget(keyOf(job));
  }

  /** Whether the app and its version are enabled. One that is gone since the submission does not stop the job. */
  isEnabled(job: JobRow): Promise<boolean> {
    const { tenant, owner, appId, appVersion } = job;
    return this.remembered.get(keyOf(job), async () => {
      try {
        const app = await this.client
          .for({ tenant, user: owner })
          .get<Enabled>('apps', path`/v3/apps/${appId}/${appVersion}`);
        return app.enabled !== false && app.versionEnabled !== false;
      } catch (error) {
        if (isApiError(error, 404) || isApiError(error, 403)) return true;
        throw error;
      }
    });
  }
}

const keyOf = ({ tenant, owner, appId, appVersion }: JobRow): string =>
  JSON.stringify([tenant, owner, appId, appVersion]);

interface Enabled {
  enabled?: boolean;
  versionEnabled?: boolean;
}
