import { Database, Outbox } from '@libs/database';
import type { Provider } from '@nestjs/common';
import { JobsStore } from './jobs-store';

/** For a service whose `DatabaseModule.for({ ...JOBS_DATABASE, outbox: true })` is in place. */
export const jobsStoreProvider: Provider = {
  provide: JobsStore,
  inject: [Database, Outbox],
  useFactory: (db: Database, outbox: Outbox) => new JobsStore(db, outbox.nudge),
};
