import { ServiceSettings } from '@libs/config';
import { defineService } from '@libs/service-kit';
import { AppsModule } from './apps.module';

/** Versioned applications. */
export const apps = defineService({
  name: 'apps',
  prefixes: ['/v3/apps'],
  settings: ServiceSettings,
  module: AppsModule,
  needs: ['postgres', 'sites-tenants', 'security-kernel', 'tokens'],
  summary: 'Versioned containerised applications',
});
