import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { requestContext, type Tenants } from '@libs/auth';
import type { ServiceSettings } from '@libs/config';
import { apiErrorFrom, BadInput, isApiError, Upstream, type Envelope } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { OwnTokens } from './own-tokens';
import { routeTo, routeToOwner, routeToPrimary, type Route } from './route';
import { unreachable, type HttpAnswer, type Transport } from './transport';

/** Whose rights count. A `Caller` fits. */
export interface OnBehalfOf {
  tenant: string;
  user: string;
  trackingId?: string;
  userTokenHash?: string;
}

export interface CallOptions {
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  headers?: Record<string, string>;
  /** For the whole call, retries included. Default 30 s; streams: until the headers. */
  timeoutMs?: number;
  /** POSTs get a random one when absent, so that a retry is not done twice. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** To the service of this name at the primary site, wherever such calls go otherwise. */
  atPrimary?: boolean;
  /** To the service of this name at the site that owns the tenant. */
  atOwner?: boolean;
}

export type JsonCall = CallOptions & { body?: unknown };
export type StreamCall = CallOptions & { method?: string; body?: Readable | Buffer | string };
export type FullAnswer<T> = {
  status: number;
  result: T;
  metadata: unknown;
  headers: HttpAnswer['headers'];
};

const TIMEOUT_MS = 30_000;
const PAUSES_MS = [100, 400, 1_200];
const AGAIN = [502, 503, 504];
/** What a header may carry. */
const SENDABLE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** `path\`/v3/systems/${id}\``: a path whose values are percent-encoded. */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((all, part, i) => all + encodeURIComponent(String(values[i - 1])) + part);
}

/**
 * HTTP to other services in somebody's name: result unwrapped from the envelope, errors with the code and status of
 * the other service, what cannot be reached as Upstream. Calls are repeated when the other side is away for a moment.
 */
export class ServiceCalls {
  constructor(
    private readonly who: OnBehalfOf,
    private readonly tenants: Tenants,
    private readonly settings: ServiceSettings,
    private readonly transport: Transport,
    private readonly tokens: OwnTokens,
  ) {}

  async get<T>(service: string, path: string, options?: CallOptions): Promise<T> {
    return (await this.full<T>('GET', service, path, options)).result;
  }

  async post<T>(service: string, path: string, options?: JsonCall): Promise<T> {
    return (await this.full<T>('POST', service, path, options)).result;
  }

  async put<T>(service: string, path: string, options?: JsonCall): Promise<T> {
    return (await this.full<T>('PUT', service, path, options)).result;
  }

  async patch<T>(service: string, path: string, options?: JsonCall): Promise<T> {
    return (await this.full<T>('PATCH', service, path, options)).result;
  }

  async delete<T>(service: string, path: string, options?: JsonCall): Promise<T> {
    return (await this.full<T>('DELETE', service, path, options)).result;
  }

  /** With status, metadata and headers. */
  async full<T>(
    method: string,
    service: string,
    path: string,
    options: JsonCall = {},
  ): Promise<FullAnswer<T>> {
    const deadline = Date.now() + (options.timeoutMs ?? TIMEOUT_MS);
    const headers: Record<string, string> = { ...options.headers };
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? randomUUID();
    for (let attempt = 0; ; attempt++) {
      try {
        const left = Math.max(1, deadline - Date.now());
        const call = { ...options, headers, timeoutMs: left };
        const answer = await this.send(method, service, path, call, body);
        return await unwrapped<T>(answer, service);
      } catch (error) {
        const pause = PAUSES_MS[attempt];
        const again = isApiError(error) && AGAIN.includes(error.status);
        if (!again || pause === undefined || Date.now() + pause >= deadline) throw error;
        await delay(pause, undefined, { signal: options.signal });
      }
    }
  }

  /** A body in or out as a stream; never repeated. The caller reads or destroys the answer's body. */
  async stream(service: string, path: string, options: StreamCall = {}): Promise<HttpAnswer> {
    const { method = 'GET', body } = options;
    const answer = await this.send(method, service, path, options, body);
    if (answer.status >= 300 && answer.status !== 304) await unwrapped(answer, service);
    return answer;
  }

  private async send(
    method: string,
    service: string,
    path: string,
    options: CallOptions,
    body?: string | Buffer | Readable,
  ): Promise<HttpAnswer> {
    await this.tenants.ensureLoaded();
    const route = this.route(service, options);
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    const call = async () =>
      this.transport.send({
        method,
        origin: route.origin,
        host: route.host,
        path: withQuery(path, options.query),
        headers: { ...(await this.headers(route)), ...options.headers },
        body,
        timeoutMs,
        signal: options.signal,
      });
    const answer = await call();
    if (answer.status !== 401) return answer;
    // Our token may have been made with a key that was replaced: once more with a new one.
    this.tokens.forget(route.targetSite);
    if (body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)) return answer;
    await answer.body.dump();
    return call();
  }

  private route(service: string, { atPrimary, atOwner }: CallOptions): Route {
    const { tenants, settings } = this;
    if (atPrimary) return routeToPrimary(tenants, settings);
    if (atOwner) return routeToOwner(this.who.tenant, tenants, settings);
    return routeTo(service, this.who.tenant, tenants, settings);
  }

  private async headers(route: Route): Promise<Record<string, string>> {
    const { user } = this.who;
    if (!SENDABLE.test(user))
      throw new BadInput(platform().code('USER_NAME'), `"${user}" is not the name of a user`);
    const context = requestContext();
    const tracking = this.who.trackingId || context?.trackingId;
    const name = (suffix: string) => platform().header(suffix).toLowerCase();
    return {
      [name('Token')]: await this.tokens.token(route.targetSite),
      [name('Tenant')]: this.who.tenant,
      [name('User')]: user,
      ...(tracking ? { [name('Tracking-ID')]: tracking } : {}),
      ...(this.who.userTokenHash ? { [name('User-Token-Hash')]: this.who.userTokenHash } : {}),
      ...(context
        ? { 'x-request-id': context.requestId, traceparent: childOf(context.traceparent) }
        : {}),
    };
  }
}

const childOf = (traceparent: string): string =>
  traceparent.replace(/-[0-9a-f]{16}-/, `-${randomBytes(8).toString('hex')}-`);

function withQuery(path: string, query: CallOptions['query']): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (Array.isArray(value)) for (const one of value) params.append(name, String(one));
    else if (value !== undefined) params.append(name, String(value));
  }
  const text = params.toString();
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path;
}

async function unwrapped<T>(answer: HttpAnswer, service: string): Promise<FullAnswer<T>> {
  const { status, headers } = answer;
  let text: string;
  try {
    text = await answer.body.text();
  } catch (error) {
    throw unreachable({ origin: service, timeoutMs: TIMEOUT_MS }, error);
  }
  if (status === 204 || (!text && status < 300))
    return { status, headers, result: null as T, metadata: null };
  let envelope: Partial<Envelope<T>> | undefined;
  try {
    envelope = JSON.parse(text) as Envelope<T>;
  } catch {
    envelope = undefined;
  }
  if (status < 300 && envelope)
    return { status, headers, result: envelope.result as T, metadata: envelope.metadata };
  if (envelope?.message) throw apiErrorFrom(status, envelope.message, envelope.result ?? null);
  throw new Upstream(
    platform().code('SERVICE_ANSWER'),
    `Service ${service} answered ${status} without an envelope`,
  );
}
