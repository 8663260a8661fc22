import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { RolesActions } from './actions/roles.actions';
import { SharesActions } from './actions/shares.actions';
import { StartActions } from './actions/start.actions';
import { UsersActions } from './actions/users.actions';
import { VaultActions } from './actions/vault.actions';
import { Authority, HeldRoles } from './domain/authority';
import { SecretSeal } from './domain/seal';
import { RolesController } from './http/roles.controller';
import { SharesController } from './http/shares.controller';
import { UsersController } from './http/users.controller';
import { VaultController } from './http/vault.controller';
import { SecurityKernelSettings } from './settings';
import { GrantsStore } from './store/grants.store';
import { migrations } from './store/migrations';
import { RolesStore } from './store/roles.store';
import { SecretsStore } from './store/secrets.store';
import { SharesStore } from './store/shares.store';

@Module({
  imports: [MessagingModule, DatabaseModule.for({ service: 'security', migrations })],
  controllers: [RolesController, UsersController, SharesController, VaultController],
  providers: [
    RolesStore,
    GrantsStore,
    SharesStore,
    SecretsStore,
    { provide: HeldRoles, useExisting: GrantsStore },
    {
      provide: SecretSeal,
      inject: [SecurityKernelSettings],
      useFactory: (settings: SecurityKernelSettings) => new SecretSeal(settings.masterKey),
    },
    Authority,
    RolesActions,
    UsersActions,
    SharesActions,
    VaultActions,
    StartActions,
  ],
})
export class SecurityKernelModule {}
