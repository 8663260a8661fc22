import { runService } from '@libs/service-kit';
import { files } from './service';

void runService(files);
