import { DatabaseModule } from '@libs/database';
import { JOBS_DATABASE, jobsStoreProvider } from '@libs/jobs-store';
import { Module } from '@nestjs/common';
import { AnnotationActions } from './actions/annotation.actions';
import { EventsActions } from './actions/events.actions';
import { JobAccess } from './actions/job-access';
import { JobsActions } from './actions/jobs.actions';
import { ListActions } from './actions/list.actions';
import { OutputActions } from './actions/output.actions';
import { ShareActions } from './actions/share.actions';
import { SubmitActions } from './actions/submit.actions';
import { AppsClient } from './clients/apps.client';
import { FilesClient } from './clients/files.client';
import { SystemsClient } from './clients/systems.client';
import { AnnotationController } from './http/annotation.controller';
import { EventsController } from './http/events.controller';
import { JobController } from './http/job.controller';
import { ListController } from './http/list.controller';
import { OutputController } from './http/output.controller';
import { ShareController } from './http/share.controller';
import { SubmitController } from './http/submit.controller';

@Module({
  imports: [DatabaseModule.for({ ...JOBS_DATABASE, outbox: true })],
  controllers: [
    SubmitController,
    ListController,
    EventsController,
    OutputController,
    AnnotationController,
    ShareController,
    JobController,
  ],
  providers: [
    jobsStoreProvider,
    AppsClient,
    SystemsClient,
    FilesClient,
    JobAccess,
    SubmitActions,
    ListActions,
    JobsActions,
    AnnotationActions,
    ShareActions,
    OutputActions,
    EventsActions,
  ],
})
export class JobsApiModule {}
