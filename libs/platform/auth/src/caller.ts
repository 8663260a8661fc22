import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

export type AccountType = 'user' | 'service';

/**
 * Who asks. Business rules use the pair on whose behalf the call is made (`tenant`, `user`); the security kernel
 * also looks at the pair of the token (`jwtTenant`, `jwtUser`). They differ only for service tokens.
 */
export interface Caller {
  tenant: string;
  user: string;
  jwtTenant: string;
  jwtUser: string;
  accountType: AccountType;
  /** Name of the calling service; only for service tokens. */
  service?: string;
  /** user@tenant that made a delegation token, else null. */
  delegator: string | null;
  userTokenHash?: string;
  siteId: string;
  trackingId: string;
}

/** A request after the guard has looked at it. */
export type AuthenticatedRequest = Request & { caller?: Caller };

/** Parameter of a handler: the caller that the guard accepted (undefined on public routes without a token). */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | undefined =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);
