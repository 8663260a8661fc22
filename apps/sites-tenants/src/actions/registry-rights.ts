import { Injectable } from '@nestjs/common';
import { Tenants, type Caller } from '@libs/auth';
import { Forbidden } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';

const CREATOR = 'tenant_creator';
const UPDATER = 'tenant_definition_updater';
const SITE_ADMIN = '$~site_admin';

export const authorOf = ({ jwtUser, jwtTenant }: Caller): string => `${jwtUser}@${jwtTenant}`;

/** Who may write to the registry (platform contract, 3.1; ruling 50). Rules look at the subject of the token. */
@Injectable()
export class RegistryRights {
  constructor(
    private readonly tenants: Tenants,
    private readonly security: SecurityClient,
  ) {}

  /** Sites, tenants, owners and LDAP records are made by people and services of the primary's own tenant. */
  async assertMayCreate(caller: Caller): Promise<void> {
    if (this.ofPrimary(caller) && (await this.holds(caller, CREATOR, SITE_ADMIN))) return;
    throw refused(caller, `role ${CREATOR} in the primary site's administrative tenant is needed`);
  }

  /** Site administrators, the registry itself, and who holds the role in this tenant or in that of its site. */
  async assertMayUpdate(caller: Caller, tenantId: string, siteId: string): Promise<void> {
    if (this.ofPrimary(caller)) {
      if (caller.jwtUser === 'tenants' && caller.accountType === 'service') return;
      if (await this.holds(caller, SITE_ADMIN)) return;
    }
    const ofSite =
      caller.accountType === 'service' &&
      caller.jwtTenant === this.tenants.site(siteId)?.site_admin_tenant_id;
    const near = caller.jwtTenant === tenantId || ofSite;
    if (near && (await this.holds(caller, UPDATER))) return;
    throw refused(caller, `role ${UPDATER} in tenant ${tenantId} or its site is needed`);
  }

  private ofPrimary({ jwtTenant }: Caller): boolean {
    return jwtTenant === this.tenants.primary?.site_admin_tenant_id;
  }

  private async holds({ jwtTenant, jwtUser }: Caller, ...roles: string[]): Promise<boolean> {
    const who = { tenant: jwtTenant, user: jwtUser };
    for (const role of roles) if (await this.security.hasRole(who, role)) return true;
    return false;
  }
}

const refused = (caller: Caller, why: string) =>
  new Forbidden('TENANTS_NOT_AUTHORIZED', `${authorOf(caller)} may not do this: ${why}.`);
