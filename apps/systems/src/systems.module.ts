import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { sharingController, sharingProviders } from '@libs/service-kit';
import { ChildSystems } from './actions/child-systems';
import { ChangeSystems } from './actions/change-systems';
import { CreateSystem } from './actions/create-system';
import { Credentials } from './actions/credentials';
import { HostKeys } from './actions/host-keys';
import { KernelAgreement } from './actions/kernel-agreement';
import { ReadSystems } from './actions/read-systems';
import { RegisterCredential } from './actions/register-credential';
import { RelatedSystems } from './actions/related-systems';
import { RootDirs } from './actions/root-dirs';
import { SchedulerProfiles } from './actions/scheduler-profiles';
import { SharedSystems } from './actions/shared-systems';
import { StoreSystem } from './actions/store-system';
import { SystemLife } from './actions/system-life';
import { TryCredential } from './actions/try-credential';
import { CredentialVault } from './clients/credential-vault';
import { GlobusAuth } from './clients/globus-auth';
import { HostCheck } from './clients/host-check';
import { StoreCheck } from './clients/store-check';
import { SystemAccess } from './clients/system-access';
import { TmsClient } from './clients/tms-client';
import { ChildSystemsController } from './http/child-systems.controller';
import { CredentialsController } from './http/credentials.controller';
import { SchedulerProfilesController } from './http/scheduler-profiles.controller';
import { SystemStateController } from './http/system-state.controller';
import { SystemsController } from './http/systems.controller';
import { ChildSystemsStore } from './store/child-systems.store';
import { CredInfoStore } from './store/cred-info.store';
import { HistoryStore } from './store/history.store';
import { KernelNotesStore } from './store/kernel-notes.store';
import { CredentialAddresses1700000005030 } from './store/migrations/1700000005030-credential-addresses';
import { MoreListIndexes1700000005040 } from './store/migrations/1700000005040-more-list-indexes';
import { CreateSystems1700000005001 } from './store/migrations/1700000005001-create-systems';
import { ListIndexes1700000005020 } from './store/migrations/1700000005020-list-indexes';
import { TimesInMilliseconds1700000005002 } from './store/migrations/1700000005002-times-in-milliseconds';
import { ParentsProfilesNotes1700000005010 } from './store/migrations/1700000005010-parents-profiles-notes';
import { SchedulerProfilesStore } from './store/scheduler-profiles.store';
import { SystemsListStore } from './store/systems-list.store';
import { SystemsStore } from './store/systems.store';

@Module({
  imports: [
    MessagingModule,
    DatabaseModule.for({
      service: 'systems',
      migrations: [
        CreateSystems1700000005001,
        TimesInMilliseconds1700000005002,
        ParentsProfilesNotes1700000005010,
        ListIndexes1700000005020,
        CredentialAddresses1700000005030,
        MoreListIndexes1700000005040,
      ],
    }),
  ],
  controllers: [
    sharingController({ root: 'v3/systems', word: 'system', id: 'systemId', code: 'SYSAPI' }),
    SchedulerProfilesController,
    CredentialsController,
    ChildSystemsController,
    SystemStateController,
    SystemsController,
  ],
  providers: [
    SystemsStore,
    SystemsListStore,
    CredInfoStore,
    ChildSystemsStore,
    SchedulerProfilesStore,
    KernelNotesStore,
    HistoryStore,
    SystemAccess,
    CredentialVault,
    HostCheck,
    StoreCheck,
    TmsClient,
    GlobusAuth,
    TryCredential,
    RootDirs,
    RelatedSystems,
    KernelAgreement,
    ChildSystems,
    SystemLife,
    RegisterCredential,
    SchedulerProfiles,
    CreateSystem,
    StoreSystem,
    ReadSystems,
    ChangeSystems,
    Credentials,
    HostKeys,
    SharedSystems,
    ...sharingProviders(SystemAccess, SharedSystems),
  ],
})
export class SystemsModule {}
