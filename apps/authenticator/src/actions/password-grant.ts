import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { TokenMaker, type AccessToken } from '../clients/token-maker';
import { checkPassword } from '../domain/password-hash';
import { AuthenticatorSettings } from '../settings';
import { AccountsStore } from '../store/accounts.store';

const SITE_ADMIN_ROLE = '$~site_admin';

/** A token for a user name and a password, without an OAuth client. */
@Injectable()
export class PasswordGrant {
  constructor(
    private readonly tenants: Tenants,
    private readonly accounts: AccountsStore,
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
    const hash = await this.accounts.passwordHash(tenant, username);
    const right = await checkPassword(password, hash, await this.accounts.anyHash(tenant));
    if (!right || !(await this.mayLogIn(tenant, username))) {
      throw new BadInput('AUTHENTICATOR_INVALID_GRANT', 'Invalid username/password combination.');
    }
    const seconds = this.settings.accessTokenSeconds;
    const grant = { type: 'password', client: null, seconds };
    return { access_token: await this.tokens.accessToken(tenant, username, grant) };
  }

  /** Into an administrative tenant only its site administrators may (ruling 50). */
  private async mayLogIn(tenant: string, username: string): Promise<boolean> {
    if (!this.tenants.isSiteAdminTenant(tenant)) return true;
    return this.security.hasRole({ tenant, user: username }, SITE_ADMIN_ROLE);
  }
}
