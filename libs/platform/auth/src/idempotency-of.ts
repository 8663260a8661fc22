import { createHmac } from 'node:crypto';
import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { AuthenticatedRequest, Caller } from './caller';
import type { IdempotencyKey } from './request-context';

const KEY = /^[\x20-\x7e]{1,200}$/;

/** The Idempotency-Key of a POST with a JSON body or none; it counts for this caller, method and path only. */
export function idempotencyOf(
  request: AuthenticatedRequest,
  { tenant, user, jwtUser, jwtTenant }: Caller,
  pepper: string,
): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return undefined;
  if (
    !/^application\/([\w.-]+\+)?json\b/i.test(request.headers['content-type'] ?? 'application/json')
  )
    return undefined;
  if (typeof key !== 'string' || !KEY.test(key))
    throw new BadInput(
      platform().code('IDEMPOTENCY_KEY'),
      'Idempotency-Key must be 1 to 200 printable characters',
    );
  const who = jwtUser === user && jwtTenant === tenant ? '' : ` by ${jwtUser}@${jwtTenant}`;
  return {
    key,
    scope: `${user}@${tenant}${who} ${request.method} ${request.path}`,
    bodyHash: createHmac('sha256', pepper)
      .update(JSON.stringify(request.body ?? null) + queryOf(request))
      .digest('base64url'),
  };
}

/** What is asked for by the query counts as what is asked for by the body. */
const queryOf = ({ originalUrl }: AuthenticatedRequest): string =>
  originalUrl.includes('?') ? originalUrl.slice(originalUrl.indexOf('?')) : '';
