import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Tenants } from '@libs/auth';
import { Forbidden } from '@libs/envelope';
import { SITE_ADMIN_ROLE, TENANT_ADMIN_ROLE } from './role-name';

/** What the decisions below need to know of grants; the store answers it. */
export abstract class HeldRoles {
  abstract of(tenant: string, user: string): Promise<{ roles: ReadonlySet<string> }>;
}

export interface OwnedRole {
  name: string;
  owner: string;
  ownerTenant: string;
}

/** Who may ask and change what in the security kernel. Rules look at the subject of the token (2.2). */
@Injectable()
export class Authority {
  constructor(
    private readonly tenants: Tenants,
    private readonly held: HeldRoles,
  ) {}

  /** Holds the tenant's admin role, or administers the site the tenant belongs to (ruling 50). */
  async isAdmin(tenant: string, user: string, userTenant = tenant): Promise<boolean> {
    if (userTenant === tenant) {
      const { roles } = await this.held.of(tenant, user);
      if (roles.has(TENANT_ADMIN_ROLE)) return true;
    }
    return this.isOfThisSite(tenant) && (await this.isSiteAdmin(user, userTenant));
  }

  /** Everybody of a tenant may ask about it, and services that may act for it. */
  assertMayAsk(caller: Caller, tenant: string): void {
    if (!this.belongs(caller, tenant)) throw foreign(caller, tenant);
  }

  assertService(caller: Caller, tenant: string, ...names: string[]): void {
    if (caller.accountType !== 'service' || !this.belongs(caller, tenant))
      throw foreign(caller, tenant);
    if (names.length && !names.includes(caller.jwtUser))
      throw refused(caller, `only ${names.join(', ')} may`);
  }

  /** Tenant admins and services that may act for the tenant. */
  async assertAdmin(caller: Caller, tenant: string): Promise<void> {
    if (caller.accountType === 'service') return this.assertService(caller, tenant);
    if (await this.isAdmin(tenant, caller.jwtUser, caller.jwtTenant)) return;
    throw refused(caller, `needs the admin role of tenant ${tenant}`);
  }

  /** As `assertAdmin`, for people only. */
  async assertAdminPerson(caller: Caller, tenant: string): Promise<void> {
    const isPerson = caller.accountType === 'user';
    if (isPerson && (await this.isAdmin(tenant, caller.jwtUser, caller.jwtTenant))) return;
    throw refused(caller, `needs the admin role of tenant ${tenant}`);
  }

  /** Owners and admins grant and revoke plain roles; the kernel's own have narrower circles (5.2). */
  async assertMayGrant(caller: Caller, tenant: string, role: OwnedRole): Promise<void> {
    if (!role.name.startsWith('$!')) return this.assertMayChange(caller, tenant, role);
    return this.assertAdminPerson(caller, tenant);
  }

  /** Owners and admins change plain roles, site administrators those that restrict services, nobody the others. */
  async assertMayChange(caller: Caller, tenant: string, role: OwnedRole): Promise<void> {
    if (role.name.startsWith('$#')) return this.assertSiteAdmin(caller);
    if (role.name.startsWith('$'))
      throw refused(caller, `role ${role.name} can't be changed by a call`);
    const owns = role.owner === caller.jwtUser && role.ownerTenant === caller.jwtTenant;
    if (!owns) await this.assertAdmin(caller, tenant);
  }

  async assertSiteAdmin(caller: Caller): Promise<void> {
    const isPerson = caller.accountType === 'user';
    if (isPerson && (await this.isSiteAdmin(caller.jwtUser, caller.jwtTenant))) return;
    throw refused(caller, 'only an administrator of the site may');
  }

  /** People of the primary's admin tenant alone hold the role. */
  async isSiteAdmin(user: string, userTenant: string): Promise<boolean> {
    const primary = this.tenants.primary?.site_admin_tenant_id;
    if (!primary || userTenant !== primary) return false;
    return (await this.held.of(primary, user)).roles.has(SITE_ADMIN_ROLE);
  }

  private isOfThisSite(tenant: string): boolean {
    const { here } = this.tenants;
    return here !== undefined && this.tenants.siteOf(tenant)?.site_id === here.site_id;
  }

  private belongs(caller: Caller, tenant: string): boolean {
    return caller.accountType === 'service'
      ? this.tenants.mayActFor(caller.jwtTenant, tenant)
      : caller.jwtTenant === tenant ||
          (caller.jwtTenant === this.tenants.primary?.site_admin_tenant_id &&
            this.isOfThisSite(tenant));
  }
}

function foreign(caller: Caller, tenant: string): Forbidden {
  return refused(caller, `is not of tenant ${tenant} and may not act for it`);
}

function refused(caller: Caller, why: string): Forbidden {
  return new Forbidden(
    'SK_NOT_AUTHORIZED',
    `${caller.jwtUser}@${caller.jwtTenant} is refused: ${why}`,
  );
}
