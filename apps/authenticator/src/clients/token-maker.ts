import { Injectable } from '@nestjs/common';
import { platform } from '@libs/platform-name';
import { ServiceClient } from '@libs/service-client';

export interface AccessToken {
  access_token: string;
  expires_at: string;
  expires_in: number;
  jti: string;
}

/** Tokens for people, made by the tokens service of this site. */
@Injectable()
export class TokenMaker {
  constructor(private readonly client: ServiceClient) {}

  async accessToken(
    tenant: string,
    username: string,
    grant: { type: string; client: string | null; seconds: number },
  ): Promise<AccessToken> {
    const calls = this.client.for({ tenant, user: username });
    const made = await calls.post<{ access_token: AccessToken }>('tokens', '/v3/tokens', {
      body: {
        account_type: 'user',
        token_tenant_id: tenant,
        token_username: username,
        access_token_ttl: grant.seconds,
        claims: {
          [platform().claim('client_id')]: grant.client,
          [platform().claim('grant_type')]: grant.type,
        },
      },
    });
    return made.access_token;
  }
}
