import { runService } from '@libs/service-kit';
import { apps } from './service';

void runService(apps);
