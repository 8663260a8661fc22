import { runService } from '@libs/service-kit';
import { jobsApi } from './service';

void runService(jobsApi);
