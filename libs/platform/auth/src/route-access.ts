import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'platform:public';
export const SERVICES_ONLY = 'platform:services-only';
export const AUDIENCES = 'platform:audiences';
export const ANY_SITE = 'platform:any-site';
export const REPEATABLE = 'platform:repeatable';

/** The route (or every route of the class) needs no token; a good one is still looked at, a bad one is as good as none. */
export const Public = () => SetMetadata(PUBLIC, true);

/**
 * The POST asks or gives a secret: it is done again each time, and its answer is never kept for an Idempotency-Key.
 */
export const Repeatable = () => SetMetadata(REPEATABLE, true);

/** Only service tokens, of the named services when names are given; everybody else gets 403. */
export const ServicesOnly = (...names: string[]) => SetMetadata(SERVICES_ONLY, names);

/** The route takes tokens that carry one of these audiences (`*`: any); elsewhere such tokens are refused. */
export const Audience = (...names: string[]) => SetMetadata(AUDIENCES, names);

/** Takes service tokens of other sites too, where the service itself answers its own site only. */
export const AnySite = () => SetMetadata(ANY_SITE, true);
