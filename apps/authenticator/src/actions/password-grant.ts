import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { TokenMaker, type AccessToken } from '../clients/token-maker';
import { AuthenticatorSettings } from '../settings';
import { UserSources } from './user-sources';

const SITE_ADMIN_ROLE = '$~site_admin';

/** A token for a user name and a password, without an OAuth client. */
@Injectable()
export class PasswordGrant {
  constructor(
    private readonly tenants: Tenants,
    private readonly sources: UserSources,
    private readonly tokens: TokenMaker,
    private readonly security: SecurityClient,
    private readonly settings: AuthenticatorSettings,
  ) {}

  /** The same answer, after the same time, for an unknown user as for a wrong password. */
  async grant(
    tenant: string,
    username: string,
    password: string,
  ): Promise<{ access_token: AccessToken }> {
    const person = await (await this.sources.of(tenant)).authenticate(username, password);
    if (!person || !(await this.mayLogIn(tenant, username))) {
      throw new BadInput('AUTHENTICATOR_INVALID_GRANT', 'Invalid username/password combination.');
    }
    const seconds = this.settings.accessTokenSeconds;
    const grant = { type: 'password', client: null, seconds };
    return { access_token: await this.tokens.accessToken(tenant, person.username, grant) };
  }

  /** Into an administrative tenant only its site administrators may (ruling 50). */
  private async mayLogIn(tenant: string, username: string): Promise<boolean> {
    if (!this.tenants.isSiteAdminTenant(tenant)) return true;
    return this.security.hasRole({ tenant, user: username }, SITE_ADMIN_ROLE);
  }
}
