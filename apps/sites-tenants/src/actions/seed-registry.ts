import { Injectable, type OnModuleInit } from '@nestjs/common';
import { parse } from '@libs/fields';
import { Site } from '../domain/site';
import { Tenant } from '../domain/tenant';
import { SitesTenantsSettings } from '../settings';
import { RegistryStore } from '../store/registry.store';

/** Fills the registry from the settings before anybody can ask. */
@Injectable()
export class SeedRegistry implements OnModuleInit {
  constructor(
    private readonly settings: SitesTenantsSettings,
    private readonly registry: RegistryStore,
  ) {}

  async onModuleInit(): Promise<void> {
    const sites = this.settings.seedSites.map((s, i) =>
      parse(Site, s, { what: `SEED_SITES[${i}]` }),
    );
    const tenants = this.settings.seedTenants.map((t, i) =>
      withoutKeyNotActive(parse(Tenant, t, { what: `SEED_TENANTS[${i}]` })),
    );
    await this.registry.add(sites, tenants, `tenants@${sites[0]?.site_admin_tenant_id ?? 'admin'}`);
  }
}

/** A tenant nobody can check a token of must wait for its key (platform contract, 3.4). */
function withoutKeyNotActive(tenant: Tenant): Tenant {
  return tenant.public_key ? tenant : { ...tenant, status: 'DRAFT' };
}
