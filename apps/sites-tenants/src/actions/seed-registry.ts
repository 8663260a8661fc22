import { Injectable, type OnModuleInit } from '@nestjs/common';
import { parse } from '@libs/fields';
import { Site, tidySite } from '../domain/site';
import { Tenant, tidyTenant } from '../domain/tenant';
import { SitesTenantsSettings } from '../settings';
import { SitesStore } from '../store/sites.store';
import { TenantsStore } from '../store/tenants.store';

/** Fills the registry from the settings before anybody can ask. */
@Injectable()
export class SeedRegistry implements OnModuleInit {
  constructor(
    private readonly settings: SitesTenantsSettings,
    private readonly sites: SitesStore,
    private readonly tenants: TenantsStore,
  ) {}

  async onModuleInit(): Promise<void> {
    const sites = this.settings.seedSites.map((s, i) =>
      tidySite(parse(Site, s, { what: `SEED_SITES[${i}]` })),
    );
    const tenants = this.settings.seedTenants.map((t, i) =>
      withoutKeyNotActive(tidyTenant(parse(Tenant, t, { what: `SEED_TENANTS[${i}]` }))),
    );
    const author = `tenants@${sites[0]?.site_admin_tenant_id ?? 'admin'}`;
    await this.sites.seed(sites, author);
    await this.tenants.seed(tenants, author);
  }
}

/** A tenant nobody can check a token of must wait for its key (platform contract, 3.4). */
function withoutKeyNotActive(tenant: Tenant): Tenant {
  return tenant.public_key ? tenant : { ...tenant, status: 'DRAFT' };
}
