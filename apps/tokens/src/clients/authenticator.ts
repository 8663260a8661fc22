import { Injectable } from '@nestjs/common';
import { ServiceClient } from '@libs/service-client';

/** Who decides whether a login goes on. */
@Injectable()
export class Authenticator {
  constructor(private readonly client: ServiceClient) {}

  /** A new pair for a refresh token of one of its clients, or its refusal. */
  renew(tenant: string, user: string, body: { client_id: string; refresh_token: string }) {
    const calls = this.client.for({ tenant, user });
    return calls.post<Record<string, object>>('authenticator', '/v3/oauth2/tokens/renew', { body });
  }
}
