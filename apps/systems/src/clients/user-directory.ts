import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, isApiError } from '@libs/envelope';
import { path, ServiceClient } from '@libs/service-client';

/** The people of a tenant, as its authenticator knows them. */
@Injectable()
export class UserDirectory {
  constructor(private readonly client: ServiceClient) {}

  /** 400 for a name that nobody of the tenant has (ruling 60). */
  async assertKnown(caller: Caller, user: string): Promise<void> {
    try {
      await this.client
        .for(caller)
        .get('authenticator', path`/v3/oauth2/profiles/${user}`, { query: {} });
    } catch (error) {
      if (!isApiError(error, 404)) throw error;
      throw new BadInput(
        'SYSLIB_UNKNOWN_USER',
        `There is no user "${user}" in tenant ${caller.tenant}.`,
      );
    }
  }
}
