import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'platform:public';
export const SERVICES_ONLY = 'platform:services-only';
export const AUDIENCES = 'platform:audiences';

/** The route (or every route of the class) needs no token; a good one is still looked at, a bad one is as good as none. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Only service tokens, of the named services when names are given; everybody else gets 403. */
export const ServicesOnly = (...names: string[]) => SetMetadata(SERVICES_ONLY, names);

/** The route takes tokens that carry one of these audiences (`*`: any); elsewhere such tokens are refused. */
export const Audience = (...names: string[]) => SetMetadata(AUDIENCES, names);
