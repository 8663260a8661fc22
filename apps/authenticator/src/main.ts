import { runService } from '@libs/service-kit';
import { authenticator } from './service';

void runService(authenticator);
