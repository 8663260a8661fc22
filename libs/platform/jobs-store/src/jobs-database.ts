import { JobDefinitionRow } from './job-definition-row';
import { JobEventRow } from './job-event-row';
import { JobRow } from './job-row';
import { Jobs1760000000000 } from './migrations/1760000000000-jobs';

/** What jobs-api and jobs-worker hand to the database module: they share one database. */
export const JOBS_DATABASE = {
  service: 'jobs',
  entities: [JobRow, JobDefinitionRow, JobEventRow],
  migrations: [Jobs1760000000000],
};
