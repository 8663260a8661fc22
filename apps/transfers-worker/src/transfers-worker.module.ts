import { Module } from '@nestjs/common';
import { Database, DatabaseModule, Outbox } from '@libs/database';
import { FileAccess, SystemsClient } from '@libs/files-access';
import { SecurityClient } from '@libs/security-client';
import { ServiceClient } from '@libs/service-client';
import { TRANSFERS_DATABASE, TransfersStore } from '@libs/transfers-store';
import { Ends } from './clients/ends';
import { TransfersConsumer } from './consumers/transfers.consumer';
import { Runner } from './runner';

@Module({
  imports: [DatabaseModule.for({ ...TRANSFERS_DATABASE, outbox: true })],
  providers: [
    {
      provide: SystemsClient,
      inject: [ServiceClient],
      useFactory: (client: ServiceClient) => new SystemsClient(client),
    },
    {
      provide: FileAccess,
      inject: [SystemsClient, SecurityClient],
      useFactory: (systems: SystemsClient, security: SecurityClient) =>
        new FileAccess(systems, security),
    },
    {
      provide: TransfersStore,
      inject: [Database, Outbox],
      useFactory: (database: Database, outbox: Outbox) => new TransfersStore(database, outbox),
    },
    Ends,
    Runner,
    TransfersConsumer,
  ],
})
export class TransfersWorkerModule {}
