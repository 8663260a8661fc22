import { defineService } from '@libs/service-kit';
import { JobsApiModule } from './jobs-api.module';
import { JobsApiSettings } from './settings';

/** Takes job requests, answers what became of them; the work is done by jobs-worker. */
export const jobsApi = defineService({
  name: 'jobs-api',
  identity: 'jobs',
  prefixes: ['/v3/jobs'],
  settings: JobsApiSettings,
  module: JobsApiModule,
  needs: ['postgres', 'bus', 'security-kernel', 'tokens', 'systems', 'apps', 'files'],
  summary: 'Jobs: submit, follow, cancel, read outputs',
});
