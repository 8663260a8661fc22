import { Injectable } from '@nestjs/common';
import { platform } from '@libs/platform-name';
import { ServiceClient } from '@libs/service-client';

export interface AccessToken {
  access_token: string;
  expires_at: string;
  expires_in: number;
  jti: string;
}

export interface RefreshToken {
  refresh_token: string;
  expires_at: string;
  expires_in: number;
  jti: string;
}

export interface TokenPair {
  access_token: AccessToken;
  refresh_token?: RefreshToken;
}

export interface TokenOrder {
  grantType: string;
  clientId: string | null;
  redirectUri?: string;
  idpId?: string;
  accessSeconds: number;
  /** Present when a refresh token is wanted. */
  refreshSeconds?: number;
}

/** The keys of a tenant never leave the site that owns it, whichever site lets its people in. */
const AT_OWNER = { atOwner: true };

/** Tokens for people, made by the tokens service of the tenant's own site. */
@Injectable()
export class TokenMaker {
  constructor(private readonly client: ServiceClient) {}

  make(tenant: string, username: string, order: TokenOrder): Promise<TokenPair> {
    const { accessSeconds, refreshSeconds } = order;
    return this.calls(tenant, username).post<TokenPair>('tokens', '/v3/tokens', {
      ...AT_OWNER,
      body: {
        account_type: 'user',
        token_tenant_id: tenant,
        token_username: username,
        access_token_ttl: accessSeconds,
        ...(refreshSeconds === undefined
          ? {}
          : { generate_refresh_token: true, refresh_token_ttl: refreshSeconds }),
        claims: claimsOf(order),
      },
    });
  }

  /** A BadInput of the tokens service when the token is no longer good. */
  refresh(tenant: string, username: string, refreshToken: string): Promise<TokenPair> {
    const body = { refresh_token: refreshToken };
    const options = { ...AT_OWNER, body };
    return this.calls(tenant, username).put<TokenPair>('tokens', '/v3/tokens', options);
  }

  async revoke(tenant: string, username: string, token: string): Promise<void> {
    const options = { ...AT_OWNER, body: { token } };
    await this.calls(tenant, username).post('tokens', '/v3/tokens/revoke', options);
  }

  /** By ids; with that of a refresh token everything of its login ends. */
  async revokeIssued(
    tenant: string,
    tokens: readonly { jti: string; exp: number }[],
  ): Promise<void> {
    const calls = this.calls(tenant, 'authenticator');
    const options = { ...AT_OWNER, body: { tokens } };
    await calls.post('tokens', '/v3/tokens/revoke/issued', options);
  }

  async identity(
    tenant: string,
    username: string,
    order: { audience: string; ttl: number; claims: object },
  ): Promise<string> {
    const calls = this.calls(tenant, username);
    const options = { ...AT_OWNER, body: order };
    return (await calls.post<{ id_token: string }>('tokens', '/v3/tokens/identity', options))
      .id_token;
  }

  private calls(tenant: string, user: string) {
    return this.client.for({ tenant, user });
  }
}

function claimsOf({ grantType, clientId, redirectUri, idpId }: TokenOrder): object {
  const claim = (name: string) => platform().claim(name);
  return {
    [claim('client_id')]: clientId,
    [claim('grant_type')]: grantType,
    ...(redirectUri === undefined ? {} : { [claim('redirect_uri')]: redirectUri }),
    ...(idpId === undefined ? {} : { [claim('idp_id')]: idpId }),
  };
}
