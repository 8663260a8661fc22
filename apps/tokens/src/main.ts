import { runService } from '@libs/service-kit';
import { tokens } from './service';

void runService(tokens);
