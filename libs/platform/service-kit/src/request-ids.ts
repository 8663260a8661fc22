import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestContext } from '@libs/auth';
import { platform } from '@libs/platform-name';

const PRINTABLE = /^[\x20-\x7e]{1,126}$/;
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The context of a new request: ids that came in are kept when well-formed, missing ones are made. */
export function contextOf(service: string, headers: IncomingHttpHeaders): RequestContext {
  const given = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' && PRINTABLE.test(value) ? value : undefined;
  };
  const requestId = given('x-request-id') ?? randomUUID();
  const traceparent = given('traceparent');
  return {
    service,
    requestId,
    trackingId: given(platform().header('Tracking-ID').toLowerCase()) ?? requestId,
    traceparent: traceparent && TRACEPARENT.test(traceparent) ? traceparent : newTrace(),
  };
}

/** UUIDs come from a buffer of random bytes that Node fills ahead: cheaper than asking for bytes per request. */
function newTrace(): string {
  const hex = () => randomUUID().replaceAll('-', '');
  return `00-${hex()}-${hex().slice(0, 16)}-01`;
}

/** The ids go out again, on errors too. */
export function sendIds(response: ServerResponse, context: RequestContext): void {
  response.setHeader('X-Request-ID', context.requestId);
  response.setHeader(platform().header('Tracking-ID'), context.trackingId);
  response.setHeader('traceparent', context.traceparent);
}
