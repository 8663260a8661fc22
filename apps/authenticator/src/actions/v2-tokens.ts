import { Injectable } from '@nestjs/common';
import { TokenVerifier } from '@libs/auth';
import { BadInput, Forbidden, Upstream } from '@libs/envelope';
import { OutsideHttp } from '../clients/outside-http';
import type { TenantConfig } from '../domain/tenant-config';
import type { Owner } from './clients.actions';
import { TenantConfigs } from './tenant-configs';

/** What the config must say of the older platform. */
const NEEDED = [
  'token_url',
  'impers_oauth_client_id',
  'impers_oauth_client_secret',
  'impersadmin_username',
  'impersadmin_password',
] as const;

export interface V2Token {
  access_token: string;
  refresh_token: string | null;
  expires_in: number | null;
}

/** Tokens of an older platform beside this one, for people who are known here: its administrator's account vouches. */
@Injectable()
export class V2Tokens {
  constructor(
    private readonly configs: TenantConfigs,
    private readonly verifier: TokenVerifier,
    private readonly http: OutsideHttp,
  ) {}

  /** `shown` is the person's token of this platform, when it comes in the body as well. */
  async make({ tenant, user }: Owner, shown?: string): Promise<V2Token> {
    if (shown !== undefined) {
      const token = await this.verifier.verify(shown);
      if (token.tenant !== tenant || token.user !== user)
        throw new Forbidden('AUTHENTICATOR_V2', 'access_token is the token of somebody else.');
    }
    const config = await this.configs.of(tenant);
    const missing = NEEDED.filter((name) => !config[name]);
    if (missing.length)
      throw new BadInput(
        'AUTHENTICATOR_V2',
        `Tenant ${tenant} has no tokens of version 2: its config lacks ${missing.join(', ')}.`,
      );
    return this.ask(config, user);
  }

  private async ask(config: TenantConfig, user: string): Promise<V2Token> {
    const client = `${config.impers_oauth_client_id}:${config.impers_oauth_client_secret}`;
    const { status, body } = await this.http.post(
      config.token_url!,
      {
        grant_type: 'admin_password',
        username: config.impersadmin_username!,
        password: config.impersadmin_password!,
        token_username: user,
        scope: 'PRODUCTION',
      },
      { authorization: `Basic ${Buffer.from(client).toString('base64')}` },
    );
    const { access_token, refresh_token, expires_in } = body;
    if (status !== 200 || typeof access_token !== 'string')
      throw new Upstream(
        'AUTHENTICATOR_V2',
        `${new URL(config.token_url!).host} answered ${status} and gave no token.`,
      );
    return {
      access_token,
      refresh_token: typeof refresh_token === 'string' ? refresh_token : null,
      expires_in: typeof expires_in === 'number' ? expires_in : null,
    };
  }
}
