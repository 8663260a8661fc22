import { RevocationSource } from '@libs/auth';
import type { ServiceClient } from './service-client';

/** The list of revoked tokens as the site's tokens service keeps it. */
export class HttpRevocations extends RevocationSource {
  constructor(private readonly client: ServiceClient) {
    super();
  }

  async load(): Promise<{ jti: string; exp: number }[]> {
    const calls = await this.client.asItself();
    return calls.get('tokens', '/v3/tokens/revoked', { timeoutMs: 5_000 });
  }
}
