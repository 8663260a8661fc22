import { Injectable } from '@nestjs/common';
import { Tenants, type Caller } from '@libs/auth';
import { BadInput, Forbidden, Unauthenticated } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';

export interface Requester {
  tenant: string;
  name: string;
}

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

  /** For itself anybody may ask; for others the role that makes tokens for the tenant is needed. */
  async assertMayMake(
    { tenant, name }: Requester,
    forTenant: string,
    forUser: string,
  ): Promise<void> {
    if (tenant === forTenant && name === forUser) return;
    if (this.tenants.isSiteAdminTenant(forTenant)) {
      // The authenticator has looked whether the person administers the site (ruling 50).
      if (name === 'authenticator' && tenant === forTenant) return;
      throw new Forbidden(
        'TOKENS_ADMIN_TENANT',
        `Tokens of tenant ${forTenant} are for services and site administrators.`,
      );
    }
    const role = `${forTenant}_token_generator`;
    if (await this.security.hasRole({ tenant, user: name }, role)) return;
    throw new Forbidden(
      'TOKENS_NOT_AUTHORIZED',
      `Service ${name} may not make tokens for tenant ${forTenant}: it lacks the role ${role}.`,
    );
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
