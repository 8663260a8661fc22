import { defineService } from '@libs/service-kit';
import { JobsWorkerModule } from './jobs-worker.module';
import { JobsWorkerSettings } from './settings';

/** Carries jobs through their life: stages, launches, watches, archives, cancels and recovers them. */
export const jobsWorker = defineService({
  name: 'jobs-worker',
  identity: 'jobs',
  settings: JobsWorkerSettings,
  module: JobsWorkerModule,
  needs: ['postgres', 'bus', 'tokens', 'systems', 'apps', 'files'],
  summary: 'Carries jobs through their life',
});
