import { defineService } from '@libs/service-kit';
import { SitesTenantsSettings } from './settings';
import { SitesTenantsModule } from './sites-tenants.module';

/** The registry of sites and tenants. */
export const sitesTenants = defineService({
  name: 'sites-tenants',
  identity: 'tenants',
  prefixes: ['/v3/tenants', '/v3/sites'],
  settings: SitesTenantsSettings,
  module: SitesTenantsModule,
  needs: ['postgres'],
  helloProbes: true,
  summary: 'Registry of sites and tenants',
});
