import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Forbidden, NotFound } from '@libs/envelope';
import type { TenantKeys, TenantStatus } from '../domain/tenant';
import { RegistryStore } from '../store/registry.store';
import { siteRecord, tenantRecord } from './records';

/** The records as they are shown, and the one change that a running installation needs: keys of a tenant. */
@Injectable()
export class Registry {
  constructor(private readonly store: RegistryStore) {}

  async sites() {
    return (await this.store.sites()).map(siteRecord);
  }

  async site(id: string) {
    const row = await this.store.site(id);
    return row && siteRecord(row);
  }

  async tenants(statuses: TenantStatus[]) {
    return (await this.store.tenants(statuses)).map(tenantRecord);
  }

  async tenant(id: string) {
    const row = await this.store.tenant(id);
    if (!row) throw new NotFound('TENANTS_TENANT_NOT_FOUND', `There is no tenant "${id}".`, id);
    return tenantRecord(row);
  }

  /** Only the tokens service of the site that owns the tenant gives it keys. */
  async setKeys(caller: Caller, id: string, keys: TenantKeys) {
    const tenant = await this.tenant(id);
    const site = await this.site(tenant.site_id);
    const owning = caller.jwtTenant === site?.site_admin_tenant_id;
    if (caller.service !== 'tokens' || !owning) {
      throw new Forbidden(
        'TENANTS_NOT_AUTHORIZED',
        `${caller.jwtUser}@${caller.jwtTenant} may not change the keys of tenant ${id}: its site's tokens service may.`,
      );
    }
    await this.store.setKeys(id, keys, `${caller.jwtUser}@${caller.jwtTenant}`);
    return this.tenant(id);
  }
}
