import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request, type Dispatcher } from 'undici';
import { Upstream } from '@libs/envelope';
import { platform } from '@libs/platform-name';

export interface HttpCall {
  method: string;
  /** Where to connect. */
  origin: string;
  /** Host header, when it is not the origin's own: the tenant of the request. */
  host?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | Readable;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Dispatcher.ResponseData['body'];
}

/** `*.localhost` is loopback, whatever the resolver of this machine says. */
export const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost'))
    return systemLookup(hostname, options, callback as never);
  if (options.all) return callback(null, [{ address: '127.0.0.1', family: 4 }]);
  return callback(null, '127.0.0.1', 4);
};

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_MS = 30_000;

/** HTTP with kept-alive connections, one pool per address. What cannot be reached is an Upstream error. */
export class Transport {
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: loopbackLookup },
    keepAliveTimeout: IDLE_MS,
    connections: 64,
  });

  async send(call: HttpCall): Promise<HttpAnswer> {
    const { origin, host, path, method, headers, body, timeoutMs, signal } = call;
    try {
      const answer = await request(origin + path, {
        dispatcher: this.agent,
        method: method as Dispatcher.HttpMethod,
        headers: host ? { ...headers, host } : headers,
        body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal,
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      throw unreachable(call, error);
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** The error for a call that got no answer; names the address, not the request. */
export function unreachable(call: Pick<HttpCall, 'origin' | 'timeoutMs'>, cause: unknown): Error {
  const { code, name } = cause as { code?: string; name?: string };
  const timedOut = /TIMEOUT/.test(code ?? '') || name === 'TimeoutError';
  const text = timedOut ? `did not answer within ${call.timeoutMs} ms` : 'cannot be reached';
  return new Upstream(
    platform().code(timedOut ? 'SERVICE_TIMEOUT' : 'SERVICE_UNREACHABLE'),
    `${call.origin} ${text}`,
    { timedOut, cause },
  );
}
