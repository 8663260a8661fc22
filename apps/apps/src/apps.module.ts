import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { sharingController, sharingProviders } from '@libs/service-kit';
import { ChangeApps } from './actions/change-apps';
import { CreateVersion } from './actions/create-version';
import { ReadApps } from './actions/read-apps';
import { SharedApps } from './actions/shared-apps';
import { AppAccess } from './clients/app-access';
import { Systems } from './clients/systems';
import { AppStateController } from './http/app-state.controller';
import { AppsController } from './http/apps.controller';
import { AppsListStore } from './store/apps-list.store';
import { AppsStore } from './store/apps.store';
import { HistoryStore } from './store/history.store';
import { CreateApps1700000006001 } from './store/migrations/1700000006001-create-apps';
import { JobDescriptionIndex1700000006005 } from './store/migrations/1700000006005-job-description-index';
import { ListOneTable1700000006003 } from './store/migrations/1700000006003-list-one-table';
import { MoreListIndexes1700000006004 } from './store/migrations/1700000006004-more-list-indexes';
import { TimesInMilliseconds1700000006002 } from './store/migrations/1700000006002-times-in-milliseconds';

@Module({
  imports: [
    MessagingModule,
    DatabaseModule.for({
      service: 'apps',
      migrations: [
        CreateApps1700000006001,
        TimesInMilliseconds1700000006002,
        ListOneTable1700000006003,
        MoreListIndexes1700000006004,
        JobDescriptionIndex1700000006005,
      ],
    }),
  ],
  controllers: [
    sharingController({ root: 'v3/apps', word: 'app', id: 'appId', code: 'APPAPI' }),
    AppStateController,
    AppsController,
  ],
  providers: [
    AppsStore,
    AppsListStore,
    HistoryStore,
    AppAccess,
    Systems,
    CreateVersion,
    ReadApps,
    ChangeApps,
    SharedApps,
    ...sharingProviders(AppAccess, SharedApps),
  ],
})
export class AppsModule {}
