import { Injectable } from '@nestjs/common';
import { byPrimarysAuthenticator, Tenants, type Caller } from '@libs/auth';
import { BadInput, Forbidden, Unauthenticated } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';

export interface Requester {
  tenant: string;
  name: string;
}

/** Whose token it shall be. */
export interface Wanted {
  tenant: string;
  user: string;
  accountType: 'user' | 'service';
}

const SITE_ADMIN = '$~site_admin';

/** Who asks for a token: a service with its password, or one with its token. */
@Injectable()
export class Requesters {
  constructor(
    private readonly tenants: Tenants,
    private readonly security: SecurityClient,
  ) {}

  /** `authorization` is the request's header; `wanted` the user name the token is for. */
  async identify(
    authorization: string | undefined,
    caller: Caller | undefined,
    wanted: string,
  ): Promise<Requester> {
    const basic = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (basic && caller) {
      throw new BadInput(
        'TOKENS_TWO_CREDENTIALS',
        'The request has a service password and a token; one is enough.',
      );
    }
    if (caller) return this.byToken(caller);
    if (!basic)
      throw new Unauthenticated(
        'TOKENS_NO_CREDENTIALS',
        'A service password (Basic) or a service token is needed.',
      );
    return this.byPassword(basic, wanted);
  }

  /**
   * A service may have its own token. A person's needs the role that makes tokens for the tenant; those of the
   * primary's own tenant are for site administrators who have logged in (ruling 50).
   */
  async assertMayMake({ tenant, name }: Requester, wanted: Wanted): Promise<void> {
    const { tenant: forTenant, user, accountType } = wanted;
    if (accountType === 'service') {
      if (tenant === forTenant && name === user) return;
      throw new Forbidden(
        'TOKENS_NOT_AUTHORIZED',
        `Service ${name}@${tenant} may have service tokens for itself only.`,
      );
    }
    const role = `${forTenant}_token_generator`;
    if (this.tenants.isSiteAdminTenant(forTenant)) {
      const loggedIn = name === 'authenticator' && tenant === forTenant;
      if (
        loggedIn &&
        this.tenants.mayHavePeople(forTenant) &&
        (await this.holds(forTenant, user, SITE_ADMIN))
      )
        return;
      throw new Forbidden(
        'TOKENS_ADMIN_TENANT',
        `Tokens of tenant ${forTenant} are for services and site administrators.`,
      );
    }
    if (byPrimarysAuthenticator({ service: name, jwtTenant: tenant }, this.tenants)) {
      // the kernel of this site gives roles to its own services; whom the tenant allows its record says
      if (this.tenants.tenant(forTenant)?.token_gen_services?.includes(name)) return;
    } else if (await this.holds(tenant, name, role)) return;
    throw new Forbidden(
      'TOKENS_NOT_AUTHORIZED',
      `Service ${name} may not make tokens for tenant ${forTenant}: it lacks the role ${role}.`,
    );
  }

  private holds(tenant: string, user: string, role: string): Promise<boolean> {
    return this.security.hasRole({ tenant, user }, role);
  }

  private byToken(caller: Caller): Requester {
    if (caller.accountType !== 'service') {
      throw new Forbidden(
        'TOKENS_SERVICES_ONLY',
        'Only services ask for tokens here; people log in at the authenticator.',
      );
    }
    return { tenant: caller.jwtTenant, name: caller.jwtUser };
  }

  private async byPassword(basic: string, wanted: string): Promise<Requester> {
    const [name = '', ...rest] = Buffer.from(basic, 'base64').toString('utf8').split(':');
    const tenant = this.tenants.here?.site_admin_tenant_id ?? '';
    const right =
      name === wanted && (await this.security.isServicePassword(tenant, name, rest.join(':')));
    if (!right)
      throw new Unauthenticated(
        'TOKENS_BAD_CREDENTIALS',
        'The service name or password is not right.',
        { headers: { 'WWW-Authenticate': 'Basic' } },
      );
    return { tenant, name };
  }
}
