import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { sharingController, sharingProviders } from '@libs/service-kit';
import { ChangeSystems } from './actions/change-systems';
import { CreateSystem } from './actions/create-system';
import { Credentials } from './actions/credentials';
import { DtnCheck } from './actions/dtn-check';
import { HostKeys } from './actions/host-keys';
import { ReadSystems } from './actions/read-systems';
import { SharedSystems } from './actions/shared-systems';
import { CredentialVault } from './clients/credential-vault';
import { HostCheck } from './clients/host-check';
import { SystemAccess } from './clients/system-access';
import { CredentialsController } from './http/credentials.controller';
import { SystemStateController } from './http/system-state.controller';
import { SystemsController } from './http/systems.controller';
import { CredInfoStore } from './store/cred-info.store';
import { HistoryStore } from './store/history.store';
import { CreateSystems1700000005001 } from './store/migrations/1700000005001-create-systems';
import { TimesInMilliseconds1700000005002 } from './store/migrations/1700000005002-times-in-milliseconds';
import { SystemsListStore } from './store/systems-list.store';
import { SystemsStore } from './store/systems.store';

@Module({
  imports: [
    MessagingModule,
    DatabaseModule.for({
      service: 'systems',
      migrations: [CreateSystems1700000005001, TimesInMilliseconds1700000005002],
    }),
  ],
  controllers: [
    sharingController({ root: 'v3/systems', word: 'system', id: 'systemId', code: 'SYSAPI' }),
    CredentialsController,
    SystemStateController,
    SystemsController,
  ],
  providers: [
    SystemsStore,
    SystemsListStore,
    CredInfoStore,
    HistoryStore,
    SystemAccess,
    CredentialVault,
    HostCheck,
    DtnCheck,
    CreateSystem,
    ReadSystems,
    ChangeSystems,
    Credentials,
    HostKeys,
    SharedSystems,
    ...sharingProviders(SystemAccess, SharedSystems),
  ],
})
export class SystemsModule {}
