import { ServiceSettings, Setting } from '@libs/config';

export class SitesTenantsSettings extends ServiceSettings {
  @Setting({
    env: 'SEED_SITES',
    kind: 'json',
    default: [],
    doc: 'Sites to register at start, a JSON array of site records',
  })
  seedSites!: unknown[];

  @Setting({
    env: 'SEED_TENANTS',
    kind: 'json',
    default: [],
    doc: 'Tenants to register at start, a JSON array of tenant records',
  })
  seedTenants!: unknown[];
}
