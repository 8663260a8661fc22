import type { ServiceClient } from '@libs/service-client';

/** Questions to the security kernel. Injectable. */
export class SecurityClient {
  constructor(private readonly client: ServiceClient) {}
}
