import { runService } from '@libs/service-kit';
import { sitesTenants } from './service';

void runService(sitesTenants);
