import { Injectable } from '@nestjs/common';
import { isApiError } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { decodeJwt } from 'jose';
import { OAuthProblem } from '../../domain/oauth-problem';
import { TokenIssue } from '../token-issue';
import { UserSources } from '../user-sources';
import { clientOf, type Grant, type GrantOutcome, type GrantRequest, needed } from './grant';

const invalid = (why: string) =>
  new OAuthProblem('invalid_grant', `The refresh token is refused: ${why}.`);

/** A new pair for the same client; the tokens service rotates and sees reuse (RFC 6749, 6; RFC 9700, 4.14). */
@Injectable()
export class RefreshTokenGrant implements Grant {
  constructor(
    private readonly tokens: TokenIssue,
    private readonly sources: UserSources,
  ) {}

  async give(request: GrantRequest): Promise<GrantOutcome> {
    const { input, tenant, address } = request;
    const client = clientOf(request);
    const token = needed(input, 'refresh_token');
    const said = saidBy(token);
    if (said?.tenant !== tenant || said.clientId !== client.client_id)
      throw invalid('it is not one of this client');
    const { username } = said;
    const { max_access_token_ttl, max_refresh_token_ttl } = request.config;
    // what it gives lives as long as before, and the tenant may have lowered its caps since
    if (said.accessSeconds > max_access_token_ttl || said.refreshSeconds > max_refresh_token_ttl)
      throw invalid('the tenant no longer allows tokens to live so long; log in again');
    request.about(username);
    if (!said.idpId && !(await (await this.sources.of(tenant)).profile(username)))
      throw invalid('its user is gone');
    try {
      const pair = await this.tokens.renew({ tenant, username, address }, client.client_id, token);
      return { pair, username, scope: input.scope };
    } catch (error) {
      if (isApiError(error, 400) && !(error instanceof OAuthProblem))
        throw invalid('it has expired, is revoked, or was used before');
      throw error;
    }
  }
}

/** Not checked here: what a token says falsely the tokens service finds out by its signature. */
function saidBy(token: string) {
  const claim = (of: Record<string, unknown>, name: string) => of[platform().claim(name)];
  try {
    const claims = decodeJwt(token);
    if (claim(claims, 'token_type') !== 'refresh') return undefined;
    const access = claim(claims, 'access_token') as Record<string, unknown>;
    return {
      tenant: claim(claims, 'tenant_id'),
      clientId: claim(access, 'client_id'),
      idpId: claim(access, 'idp_id'),
      username: String(claim(access, 'username')),
      accessSeconds: Number(access['ttl']),
      refreshSeconds: Number(claim(claims, 'initial_ttl')),
    };
  } catch {
    return undefined;
  }
}
