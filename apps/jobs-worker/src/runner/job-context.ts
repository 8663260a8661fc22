import { type RequestContext, runInContext } from '@libs/auth';
import type { JobRow } from '@libs/jobs-store';
import { createHash } from 'node:crypto';

/**
 * Runs work for a job in the context of the request that submitted it: its ids go into every log line and along with
 * every call to another service.
 */
export function inContextOf<T>(job: JobRow, work: () => T): T {
  const context: RequestContext = {
    service: 'jobs-worker',
    requestId: job.requestId ?? job.uuid,
    trackingId: job.trackingId ?? job.uuid,
    traceparent: job.traceparent ?? traceOf(job.uuid),
  };
  return runInContext(context, work);
}

/** A job without a trace has one of its own, the same at every look. */
function traceOf(uuid: string): string {
  const hash = createHash('sha256').update(uuid).digest('hex');
  return `00-${hash.slice(0, 32)}-${hash.slice(32, 48)}-01`;
}
