import { runService } from '@libs/service-kit';
import { transfersWorker } from './service';

void runService(transfersWorker);
