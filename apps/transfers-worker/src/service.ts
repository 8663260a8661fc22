import { defineService } from '@libs/service-kit';
import { TransfersWorkerSettings } from './settings';
import { TransfersWorkerModule } from './transfers-worker.module';

/** Does the transfers that the files service accepted. */
export const transfersWorker = defineService({
  name: 'transfers-worker',
  identity: 'files',
  settings: TransfersWorkerSettings,
  module: TransfersWorkerModule,
  needs: ['postgres', 'tokens', 'security-kernel', 'systems', 'files'],
  summary: 'Does transfers between systems',
});
