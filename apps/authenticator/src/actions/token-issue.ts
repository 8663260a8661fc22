import { Injectable } from '@nestjs/common';
import { invalidClient, OAuthProblem } from '../domain/oauth-problem';
import { TokenMaker, type TokenOrder, type TokenPair } from '../clients/token-maker';
import { IssuedTokensStore } from '../store/issued-tokens.store';
import { SignIn } from './sign-in';

export interface Recipient {
  tenant: string;
  username: string;
  address: string;
}

/** The last step of every grant: makes the tokens and writes down that they were given, or gives none. */
@Injectable()
export class TokenIssue {
  constructor(
    private readonly tokens: TokenMaker,
    private readonly issued: IssuedTokensStore,
    private readonly signIn: SignIn,
  ) {}

  async issue(to: Recipient, order: TokenOrder): Promise<TokenPair> {
    await this.assertMayEnter(to);
    const pair = await this.tokens.make(to.tenant, to.username, order);
    return this.keep(to, order.grantType, order.clientId, pair);
  }

  /** A new pair for a refresh token, which is used up. */
  async renew(to: Recipient, clientId: string, refreshToken: string): Promise<TokenPair> {
    await this.assertMayEnter(to);
    const pair = await this.tokens.refresh(to.tenant, to.username, refreshToken);
    return this.keep(to, 'refresh_token', clientId, pair);
  }

  /** Ends what was given by mistake. */
  async takeBack(tenant: string, pair: TokenPair): Promise<void> {
    const given = givenBy(pair);
    await this.tokens.revokeIssued(tenant, [given]);
    await this.issued.revoked([given.jti]);
  }

  private async keep(
    { tenant, username, address }: Recipient,
    grantType: string,
    clientId: string | null,
    pair: TokenPair,
  ): Promise<TokenPair> {
    const { access_token: access, refresh_token: refresh } = pair;
    const kept = await this.issued.add(
      {
        jti: access.jti,
        tenant,
        username,
        client_id: clientId,
        grant_type: grantType,
        ttl_seconds: access.expires_in,
        refresh_jti: refresh?.jti ?? null,
        expires: new Date(access.expires_at),
        ends: new Date((refresh ?? access).expires_at),
      },
      {
        tenant,
        event: 'token',
        outcome: 'ISSUED',
        status: 200,
        username,
        clientId: clientId ?? undefined,
        grantType,
        address,
      },
    );
    if (kept) return pair;
    // the client was stopped while its tokens were made
    await this.takeBack(tenant, pair);
    throw invalidClient(tenant);
  }

  private async assertMayEnter({ tenant, username }: Recipient): Promise<void> {
    if (await this.signIn.mayLogIn(tenant, username)) return;
    throw new OAuthProblem(
      'invalid_grant',
      `Tenant ${tenant} is for administrators of its site; ${username} is not one.`,
    );
  }
}

/** The id by which the tokens service ends all of it, and until when that matters. */
export function givenBy({ access_token: access, refresh_token: refresh }: TokenPair) {
  const longest = refresh ?? access;
  return { jti: longest.jti, exp: Math.floor(Date.parse(longest.expires_at) / 1000) };
}
