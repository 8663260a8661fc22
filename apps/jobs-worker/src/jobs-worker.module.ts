import { DatabaseModule } from '@libs/database';
import { HostPool } from '@libs/hosts';
import { JOBS_DATABASE, jobsStoreProvider } from '@libs/jobs-store';
import { Monitor } from '@libs/monitor';
import { Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AppsClient } from './clients/apps.client';
import { FilesClient } from './clients/files.client';
import { SystemsClient } from './clients/systems.client';
import { JobsConsumer } from './consumers/jobs.consumer';
import { Cancellation } from './runner/cancellation';
import { Carrier } from './runner/carrier';
import { CrashPoint } from './runner/crash-point';
import { Held } from './runner/held';
import { HostShells } from './runner/host-shells';
import { RecoveryTester } from './runner/recovery';
import { Runner } from './runner/runner';
import { Sweep } from './runner/sweep';
import { Tools } from './runner/tools';
import { JobsWorkerSettings } from './settings';

@Module({
  imports: [DatabaseModule.for({ ...JOBS_DATABASE, outbox: true })],
  controllers: [JobsConsumer],
  providers: [
    jobsStoreProvider,
    SystemsClient,
    AppsClient,
    FilesClient,
    Tools,
    Held,
    RecoveryTester,
    Cancellation,
    Carrier,
    Runner,
    Sweep,
    {
      provide: CrashPoint,
      inject: [JobsWorkerSettings],
      useFactory: (settings: JobsWorkerSettings) => new CrashPoint(settings),
    },
    {
      provide: HostPool,
      inject: [JobsWorkerSettings],
      useFactory: ({ connectionsPerHost }: JobsWorkerSettings) =>
        new HostPool({ maxConnectionsPerHost: connectionsPerHost }),
    },
    {
      provide: HostShells,
      inject: [HostPool],
      useFactory: (pool: HostPool) => new HostShells(pool),
    },
    {
      provide: Monitor,
      inject: [HostPool, JobsWorkerSettings, Held, ModuleRef],
      useFactory: (pool: HostPool, settings: JobsWorkerSettings, held: Held, parts: ModuleRef) =>
        new Monitor(
          pool,
          {
            listener: held.worker.replace(/[^\w-]+/g, '-'),
            unseenMs: settings.unseenMinutes * 60_000,
          },
          // The runner needs the monitor to be made; it is there before anything is watched.
          (uuid, news) => parts.get(Runner).hear(uuid, news),
        ),
    },
  ],
})
export class JobsWorkerModule {}
