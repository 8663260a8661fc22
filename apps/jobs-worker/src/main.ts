import { runService } from '@libs/service-kit';
import { jobsWorker } from './service';

void runService(jobsWorker);
