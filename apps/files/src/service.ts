import { defineService } from '@libs/service-kit';
import { FilesModule } from './files.module';
import { FilesSettings } from './settings';

/** Files on the users' hosts and stores, permissions on their paths, and transfers between them. */
export const files = defineService({
  name: 'files',
  prefixes: ['/v3/files'],
  settings: FilesSettings,
  module: FilesModule,
  needs: ['postgres', 'tokens', 'security-kernel', 'systems'],
  summary: 'Files on systems, permissions on paths, transfers between systems',
});
