import { defineService } from '@libs/service-kit';
import { SystemsSettings } from './settings';
import { SystemsModule } from './systems.module';

/** Definitions of hosts and stores. */
export const systems = defineService({
  name: 'systems',
  prefixes: ['/v3/systems'],
  settings: SystemsSettings,
  module: SystemsModule,
  needs: ['postgres', 'sites-tenants', 'security-kernel', 'tokens'],
  summary: 'Definitions of hosts and stores, and the credentials for them',
});
