import { Injectable } from '@nestjs/common';
import { Tenants, type Caller } from '@libs/auth';
import { Forbidden } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { TenantRegistry } from '../clients/tenant-registry';
import { TenantKeys } from './tenant-keys';

const ROLE = 'tenant_definition_updater';
const SITE_ADMIN = '$~site_admin';

/** A new signing key for a tenant of this site, a draft too, asked for by somebody who may. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly tenants: Tenants,
    private readonly security: SecurityClient,
    private readonly registry: TenantRegistry,
    private readonly keys: TenantKeys,
  ) {}

  async rotate(caller: Caller, tenantId: string): Promise<string> {
    if (!(await this.mayAsk(caller, tenantId)))
      throw refused(caller, tenantId, `role ${ROLE} in its tenant or site is needed`);
    const { record } = await this.registry.tenant(tenantId);
    if (record.site_id !== this.tenants.siteId)
      throw refused(caller, tenantId, `site ${record.site_id} gives it keys`);
    if (tenantId === this.tenants.here?.site_admin_tenant_id)
      throw refused(caller, tenantId, "the key of a site's own tenant is a setting");
    return this.keys.renew(tenantId);
  }

  private async mayAsk({ jwtTenant, jwtUser, accountType }: Caller, tenantId: string) {
    const who = { tenant: jwtTenant, user: jwtUser };
    const bySite =
      accountType === 'service' && jwtTenant === this.tenants.here?.site_admin_tenant_id;
    if (jwtTenant === tenantId || bySite) if (await this.security.hasRole(who, ROLE)) return true;
    const ofPrimary = jwtTenant === this.tenants.primary?.site_admin_tenant_id;
    return ofPrimary && this.security.hasRole(who, SITE_ADMIN);
  }
}

const refused = ({ jwtUser, jwtTenant }: Caller, tenantId: string, why: string) =>
  new Forbidden(
    'TOKENS_KEYS_NOT_AUTHORIZED',
    `${jwtUser}@${jwtTenant} may not renew the key of tenant ${tenantId}: ${why}.`,
  );
