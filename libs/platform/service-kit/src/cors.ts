import type { IncomingMessage, ServerResponse } from 'node:http';
import { platform } from '@libs/platform-name';

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const DAY_SECONDS = 86_400;

/**
 * Web pages of any origin may call: who asks is told by a header, never by a cookie. Answers every OPTIONS, which needs
 * no token; true if it did.
 */
export function answerCors(request: IncomingMessage, response: ServerResponse): boolean {
  const options = request.method === 'OPTIONS';
  if (!options && request.headers.origin === undefined) return false;
  const header = (name: string) => platform().header(name);
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader(
    'Access-Control-Expose-Headers',
    `ETag, Link, Location, Content-Disposition, Content-Range, Accept-Ranges, X-Request-ID, ${header('Tracking-ID')}`,
  );
  if (!options) return false;
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader(
    'Access-Control-Allow-Headers',
    `Authorization, Content-Type, If-Match, If-None-Match, Range, If-Range, more, Last-Event-ID, Idempotency-Key, traceparent, X-Request-ID, ${header('Token')}, ${header('Tracking-ID')}`,
  );
  response.setHeader('Access-Control-Max-Age', String(DAY_SECONDS));
  response.writeHead(204).end();
  return true;
}
