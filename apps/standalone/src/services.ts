import { apps } from '@apps/apps';
import { authenticator } from '@apps/authenticator';
import { files } from '@apps/files';
import { jobsApi } from '@apps/jobs-api';
import { jobsWorker } from '@apps/jobs-worker';
import { securityKernel } from '@apps/security-kernel';
import { sitesTenants } from '@apps/sites-tenants';
import { systems } from '@apps/systems';
import { tokens } from '@apps/tokens';
import { transfersWorker } from '@apps/transfers-worker';
import type { ServiceDefinition } from '@libs/service-kit';

/** Every service of the platform; what each needs stands in its own record. */
export const SERVICES: readonly ServiceDefinition[] = [
  sitesTenants,
  securityKernel,
  tokens,
  authenticator,
  systems,
  apps,
  files,
  transfersWorker,
  jobsApi,
  jobsWorker,
];
