import { defineService } from '@libs/service-kit';
import { SecurityKernelModule } from './security-kernel.module';
import { SecurityKernelSettings } from './settings';

/** Roles, permissions, shares and secrets of a site. */
export const securityKernel = defineService({
  name: 'security-kernel',
  identity: 'security',
  prefixes: ['/v3/security'],
  settings: SecurityKernelSettings,
  module: SecurityKernelModule,
  needs: ['postgres', 'sites-tenants'],
  summary: 'Roles, permissions, shares and secrets',
});
