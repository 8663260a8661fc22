import { runService } from '@libs/service-kit';
import { securityKernel } from './service';

void runService(securityKernel);
