import type { IncomingMessage, ServerResponse } from 'node:http';
import { runInContext, type RequestContext } from '@libs/auth';
import type { Log } from './log';
import type { Metrics } from './metrics';
import type { Stopping } from './stopping';

const READS = ['GET', 'HEAD', 'OPTIONS'];

/** Measures each request to the end of its answer. Changes leave a line in the log, reads only on debug. */
export function watchRequests(log: Log, metrics: Metrics, stopping: Stopping) {
  return (request: IncomingMessage, response: ServerResponse, context: RequestContext): void => {
    const started = performance.now();
    const leave = stopping.enter();
    response.once('close', () => {
      leave();
      const { method = '' } = request;
      const route = (request as { route?: { path?: string } }).route?.path ?? 'none';
      const ms = performance.now() - started;
      metrics.request(method, route, response.statusCode, ms / 1000);
      if (READS.includes(method) && !log.isLevelEnabled('debug')) return;
      const fields = { method, route, status: response.statusCode, ms: Math.round(ms) };
      const level = READS.includes(method) ? 'debug' : 'info';
      runInContext(context, () => log[level](fields, 'request'));
    });
  };
}
