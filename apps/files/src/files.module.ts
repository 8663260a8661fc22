import { Module } from '@nestjs/common';
import { Database, DatabaseModule, Outbox } from '@libs/database';
import { FileAccess, SystemsClient } from '@libs/files-access';
import { SecurityClient } from '@libs/security-client';
import { ServiceClient } from '@libs/service-client';
import { TRANSFERS_DATABASE, TransfersStore } from '@libs/transfers-store';
import { ContentActions } from './actions/content.actions';
import { NativeActions } from './actions/native.actions';
import { OperationsActions } from './actions/operations.actions';
import { PathRights } from './actions/path-rights';
import { PermissionsActions } from './actions/permissions.actions';
import { SharesActions } from './actions/shares.actions';
import { TransfersActions } from './actions/transfers.actions';
import { Stores } from './clients/stores';
import { ContentController } from './http/content.controller';
import { NativeController } from './http/native.controller';
import { OperationsController } from './http/operations.controller';
import { PermissionsController } from './http/permissions.controller';
import { SharesController } from './http/shares.controller';
import { TransfersController } from './http/transfers.controller';

@Module({
  imports: [DatabaseModule.for({ ...TRANSFERS_DATABASE, outbox: true })],
  controllers: [
    OperationsController,
    ContentController,
    NativeController,
    PermissionsController,
    SharesController,
    TransfersController,
  ],
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
    Stores,
    OperationsActions,
    ContentActions,
    NativeActions,
    PathRights,
    PermissionsActions,
    SharesActions,
    TransfersActions,
  ],
})
export class FilesModule {}
