import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { AuditActions } from './actions/audit.actions';
import { Changes } from './actions/changes';
import { RewrapActions } from './actions/rewrap.actions';
import { RolesActions } from './actions/roles.actions';
import { SharesActions } from './actions/shares.actions';
import { StartActions } from './actions/start.actions';
import { UsersActions } from './actions/users.actions';
import { VaultActions } from './actions/vault.actions';
import { secretVault, vaultServer } from './clients/choose-vault';
import { Authority, HeldRoles } from './domain/authority';
import { SecretSeal } from './domain/seal';
import { AdminController } from './http/admin.controller';
import { AuditController } from './http/audit.controller';
import { RolesController } from './http/roles.controller';
import { SharesController } from './http/shares.controller';
import { UsersController } from './http/users.controller';
import { VaultController } from './http/vault.controller';
import { SecurityKernelSettings } from './settings';
import { AuditStore } from './store/audit.store';
import { GrantsStore } from './store/grants.store';
import { HeldByUsers } from './store/held-by-users';
import { migrations } from './store/migrations';
import { PostgresVault } from './store/postgres-vault';
import { RolesStore } from './store/roles.store';
import { SharesStore } from './store/shares.store';

@Module({
  imports: [MessagingModule, DatabaseModule.for({ service: 'security', migrations })],
  controllers: [
    RolesController,
    UsersController,
    SharesController,
    VaultController,
    AuditController,
    AdminController,
  ],
  providers: [
    RolesStore,
    GrantsStore,
    HeldByUsers,
    SharesStore,
    AuditStore,
    PostgresVault,
    vaultServer,
    secretVault,
    { provide: HeldRoles, useExisting: HeldByUsers },
    {
      provide: SecretSeal,
      inject: [SecurityKernelSettings],
      useFactory: (settings: SecurityKernelSettings) => new SecretSeal(settings.masterKey),
    },
    Authority,
    Changes,
    RolesActions,
    UsersActions,
    SharesActions,
    VaultActions,
    AuditActions,
    RewrapActions,
    StartActions,
  ],
})
export class SecurityKernelModule {}
