import { Injectable } from '@nestjs/common';
import { Tenants, type Caller } from '@libs/auth';
import { Forbidden } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { SigningKeys } from './signing-keys';

const ROLE = 'tenant_definition_updater';

/** A new signing key for a tenant, asked for by somebody who may. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly tenants: Tenants,
    private readonly security: SecurityClient,
    private readonly keys: SigningKeys,
  ) {}

  async rotate(caller: Caller, tenantId: string): Promise<string> {
    const ours = this.tenants.siteOf(tenantId)?.site_id === this.tenants.siteId;
    const admin = this.tenants.here?.site_admin_tenant_id;
    const own = caller.jwtTenant === tenantId;
    const bySite = caller.accountType === 'service' && caller.jwtTenant === admin;
    const allowed =
      ours &&
      tenantId !== admin &&
      (own || bySite) &&
      (await this.security.hasRole({ tenant: caller.jwtTenant, user: caller.jwtUser }, ROLE));
    if (!allowed) {
      throw new Forbidden(
        'TOKENS_KEYS_NOT_AUTHORIZED',
        `${caller.jwtUser}@${caller.jwtTenant} may not renew the key of tenant ${tenantId}.`,
      );
    }
    return this.keys.renew(tenantId);
  }
}
