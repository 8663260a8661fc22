import { Injectable } from '@nestjs/common';
import { OAuthProblem } from '../../domain/oauth-problem';
import { lifetime } from '../../domain/tenant-config';
import { SignIn } from '../sign-in';
import { TokenIssue } from '../token-issue';
import { clientOf, type Grant, type GrantOutcome, type GrantRequest, needed } from './grant';

/** User name and password, for programs that a person trusts with them (RFC 6749, 4.3; discouraged by RFC 9700). */
@Injectable()
export class PasswordGrant implements Grant {
  constructor(
    private readonly signIn: SignIn,
    private readonly tokens: TokenIssue,
  ) {}

  async give(request: GrantRequest): Promise<GrantOutcome> {
    const { input, tenant, address, config } = request;
    const client = request.client && clientOf(request);
    const username = needed(input, 'username');
    const password = needed(input, 'password');
    const profile = await this.signIn.byPassword({ tenant, username, address }, password);
    if (!profile) throw new OAuthProblem('invalid_grant', 'Invalid username/password combination.');
    const refresh = request.client?.authenticated && mayRefresh(request);
    const pair = await this.tokens.issue(
      { tenant, username: profile.username, address },
      {
        grantType: 'password',
        clientId: client?.client_id ?? null,
        accessSeconds: lifetime(config, 'access'),
        ...(refresh ? { refreshSeconds: lifetime(config, 'refresh') } : {}),
      },
    );
    return { pair, username: profile.username, scope: input.scope };
  }
}

export const mayRefresh = ({ config }: GrantRequest): boolean =>
  config.allowable_grant_types.includes('refresh_token');
