import { BadInput, isApiError } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { path, type ServiceClient } from '@libs/service-client';
import type { Who } from './security-client';

/** Who there is in a tenant, as its authenticator knows. Injectable. */
export class UserDirectory {
  constructor(private readonly client: ServiceClient) {}

  /** Ends in 400 when the tenant of the caller has no such user (ruling 60). */
  async assertKnown(caller: Who, user: string, code: string): Promise<void> {
    try {
      await this.client.for(caller).get('authenticator', path`/v3/oauth2/profiles/${user}`);
    } catch (error) {
      if (!isApiError(error, 404)) throw error;
      // an authenticator that shows no profiles can't be asked
      if (error.code === platform().code('NO_ROUTE')) return;
      throw new BadInput(code, `There is no user "${user}" in tenant ${caller.tenant}.`);
    }
  }
}
