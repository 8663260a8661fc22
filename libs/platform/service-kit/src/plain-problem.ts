import type { IncomingMessage, ServerResponse } from 'node:http';
import { envelopeOf, type ApiError, type VersionInfo } from '@libs/envelope';
import { contextOf, sendIds } from './request-ids';

/** A problem told outside of any service: by the listener that picks the service. */
export function plainProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: ApiError,
  version: VersionInfo,
): void {
  if (response.headersSent) return void response.destroy();
  sendIds(response, contextOf('listener', request.headers));
  const body = JSON.stringify(envelopeOf(problem, version));
  response.writeHead(problem.status, {
    ...problem.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
