import { runService } from '@libs/service-kit';
import { systems } from './service';

void runService(systems);
