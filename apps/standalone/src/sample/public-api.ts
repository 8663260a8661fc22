import { request, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { platform } from '@libs/platform-name';
import { Problem } from '../problem';
import { serverEvents, type ServerEvent } from './server-events';

/** Where the listener really is: names such as `dev.localhost` are looked up by nobody. */
export interface Listener {
  host: string;
  port: number;
}

interface Call {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
}

/** An answer that was not a success, with what the platform said. */
export class Refused extends Problem {
  constructor(
    readonly status: number,
    call: Call,
    text: string,
  ) {
    super(`${call.method} ${call.path} answered ${status}: ${text}`);
  }
}

/** A tenant's user at the public REST API; knows nothing that a client from outside could not know. */
export class PublicApi {
  private identity: Record<string, string> = {};

  constructor(
    readonly baseUrl: string,
    private readonly listener: Listener,
  ) {}

  /** At an address; names below localhost are this machine, whatever its resolver says. */
  static at(url: string): PublicApi {
    const { hostname, port, protocol } = new URL(url);
    const host = /(^|\.)localhost$/.test(hostname) ? '127.0.0.1' : hostname;
    const usual = protocol === 'https:' ? 443 : 80;
    return new PublicApi(url, { host, port: port ? Number(port) : usual });
  }

  /** Goes on with these headers, such as those of a token got elsewhere. */
  as(identity: Record<string, string>): this {
    this.identity = identity;
    return this;
  }

  async login(username: string, password: string): Promise<void> {
    const body = { grant_type: 'password', username, password };
    const result = await this.post<{ access_token: { access_token: string } }>(
      '/v3/oauth2/tokens',
      body,
    );
    this.as({ [platform().header('Token')]: result.access_token.access_token });
  }

  get<T>(path: string, headers?: Record<string, string>): Promise<T> {
    return this.result<T>({ method: 'GET', path, headers });
  }

  post<T>(path: string, body: object = {}, headers?: Record<string, string>): Promise<T> {
    const call = json(body);
    return this.result<T>({
      method: 'POST',
      path,
      ...call,
      headers: { ...call.headers, ...headers },
    });
  }

  put<T>(path: string, body: object): Promise<T> {
    return this.result<T>({ method: 'PUT', path, ...json(body) });
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.result<T>({ method: 'PATCH', path, ...json(body) });
  }

  /** The record, or undefined when the platform does not know it. */
  async find<T>(path: string, headers?: Record<string, string>): Promise<T | undefined> {
    try {
      return await this.get<T>(path, headers);
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  }

  upload(path: string, name: string, content: Buffer): Promise<unknown> {
    const boundary = `part-${Date.now().toString(36)}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(head),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    return this.result({ method: 'POST', path, headers, body });
  }

  async download(path: string): Promise<Buffer> {
    const call = { method: 'GET', path };
    return bytes(call, await this.send(call));
  }

  /** The events of a resource as they happen; ends when the server ends the stream, fails when the signal comes. */
  async *events(
    path: string,
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ServerEvent> {
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (lastEventId) headers['last-event-id'] = lastEventId;
    const call = { method: 'GET', path, headers, signal };
    const response = await this.send(call);
    if (response.statusCode !== 200) await bytes(call, response);
    yield* serverEvents(response);
  }

  private async result<T>(call: Call): Promise<T> {
    const text = (await bytes(call, await this.send(call))).toString('utf8');
    return (text ? (JSON.parse(text) as { result: T }).result : undefined) as T;
  }

  private send({ method, path, headers, body, signal }: Call): Promise<IncomingMessage> {
    const { identity } = this;
    const { protocol, hostname } = new URL(this.baseUrl);
    const tls = protocol === 'https:';
    return new Promise((done, failed) => {
      const outgoing = (tls ? tlsRequest : request)(
        {
          ...this.listener,
          ...(tls && { servername: hostname }),
          method,
          path,
          signal,
          headers: {
            host: new URL(this.baseUrl).host,
            ...identity,
            ...headers,
            ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          },
        },
        done,
      );
      outgoing.once('error', failed);
      outgoing.end(body);
    });
  }
}

const json = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function bytes(call: Call, response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const all = Buffer.concat(parts);
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return all;
  throw new Refused(status, call, messageOf(all.toString('utf8')));
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text.slice(0, 500);
  }
}
