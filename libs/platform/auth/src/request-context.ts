import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './caller';

/** What is known about the request (or the message) that the current code works for. */
export interface RequestContext {
  service: string;
  /** The caller's own correlation id; made here when absent. Goes along with every call to another service. */
  trackingId: string;
  requestId: string;
  traceparent: string;
  caller?: Caller;
  /** Present when the request carries an Idempotency-Key: what `Idempotency` of the database lib works with. */
  idempotency?: IdempotencyKey;
}

export interface IdempotencyKey {
  key: string;
  /** Who asked for what: tenant, user, method and path. */
  scope: string;
  /** HMAC-SHA-256 of the request body. */
  bodyHash: string;
  /** The answer was stored in the transaction of what the request made. */
  kept?: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the running request, or undefined outside of one. */
export const requestContext = (): RequestContext | undefined => storage.getStore();

/** Runs the function, and whatever it awaits, in this context. */
export const runInContext = <T>(context: RequestContext, run: () => T): T =>
  storage.run(context, run);
