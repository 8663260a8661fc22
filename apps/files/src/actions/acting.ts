import type { Caller } from '@libs/auth';
import { Forbidden } from '@libs/envelope';
import type { Actor } from '@libs/files-access';

/** Query parameters by which other services say for whom they ask. */
export interface ActingFor {
  impersonationId?: string;
  sharedCtx?: string;
}

export interface Acting {
  actor: Actor;
  sharedCtx?: string;
}

const CONTEXT_SERVICES = ['jobs', 'files'];

/** Who acts: the caller, or whom a service that is trusted with it names. */
export function acting(caller: Caller, { impersonationId, sharedCtx }: ActingFor = {}): Acting {
  if (sharedCtx && !CONTEXT_SERVICES.includes(caller.service ?? '')) {
    throw new Forbidden(
      'FILES_UNAUTH_SHAREDCTX',
      `${caller.jwtUser}@${caller.jwtTenant} may not use sharedCtx`,
    );
  }
  if (impersonationId && caller.service !== 'jobs') {
    throw new Forbidden(
      'FILES_UNAUTH_IMPERSONATE',
      `${caller.jwtUser}@${caller.jwtTenant} may not use impersonationId`,
    );
  }
  const { tenant, user, trackingId } = caller;
  return { actor: { tenant, user: impersonationId ?? user, trackingId }, sharedCtx };
}
