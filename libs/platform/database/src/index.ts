export {
  ChangeHistory,
  changeHistoryTable,
  type ChangeAuthor,
  type ChangeEntry,
} from './change-history';
export { createDatabase, databaseUrl } from './create-database';
export { Database, type DatabaseOptions } from './database';
export { DatabaseModule, type DatabaseModuleOptions } from './database.module';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres';
export { Idempotency } from './idempotency';
export { Outbox } from './outbox';
export { OutboxRelay } from './outbox-relay';
export { run, type Outcome } from './rows';
export { isConnectionLoss, isDuplicate } from './sql-state';
