import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { SecurityClient } from '@libs/security-client';
import type { Profile } from '../domain/user-source';
import { type Attempt, LoginGuard } from './login-guard';
import { UserSources } from './user-sources';

const SITE_ADMIN_ROLE = '$~site_admin';

/** Who may come in, whichever way they come: by the token endpoint, by the pages, by HTTP Basic. */
@Injectable()
export class SignIn {
  constructor(
    private readonly sources: UserSources,
    private readonly guard: LoginGuard,
    private readonly tenants: Tenants,
    private readonly security: SecurityClient,
  ) {}

  /**
   * The person that the password belongs to, named as their source names them, or null: the same, after the same time,
   * for an unknown user, a wrong password and somebody who may not log in here. TooMany while locked. `event`: see LoginGuard.
   */
  byPassword(who: Attempt, password: string, event?: string): Promise<Profile | null> {
    const check = async () => {
      const source = await this.sources.of(who.tenant);
      const person = await source.authenticate(who.username, password);
      return person && (await this.mayLogIn(who.tenant, person.username)) ? person : null;
    };
    return this.guard.attempt(who, check, event);
  }

  /**
   * Into an administrative tenant only its site administrators may (ruling 50), and nobody who could be taken for one of
   * the services, whose own accounts and secrets are in that tenant.
   */
  async mayLogIn(tenant: string, username: string): Promise<boolean> {
    if (!this.tenants.isSiteAdminTenant(tenant)) return true;
    if (this.tenants.allSites().some(({ services }) => services.includes(username))) return false;
    return this.security.hasRole({ tenant, user: username }, SITE_ADMIN_ROLE);
  }
}
