import { type Answer, type Call, open, send } from './http-call';
import type { PlatformProcess } from './platform-process';
import { type ServerEvent, serverEvents } from './server-events';

/** An answer with its envelope, when it has one. */
export interface Reply extends Answer {
  text: string;
  // Answers are what a client sees: JSON of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
  message: string;
}

/** The platform did not do what was asked. */
export class Refused extends Error {
  constructor(
    readonly call: Call,
    readonly reply: Reply,
  ) {
    super(
      `${call.method} ${call.path} answered ${reply.status}: ${reply.message || reply.text.slice(0, 300)}`,
    );
  }
}

export interface SessionOptions {
  tenant?: string;
  token?: string;
  headers?: Record<string, string>;
}

/** Somebody at the public REST API of one tenant, with or without a token. */
export class Session {
  readonly tenant: string;
  token?: string;

  constructor(
    readonly platform: PlatformProcess,
    private readonly options: SessionOptions = {},
  ) {
    this.tenant = options.tenant ?? 'dev';
    this.token = options.token;
  }

  /** The same person with other headers or another token. */
  with(options: SessionOptions): Session {
    return new Session(this.platform, { ...this.options, token: this.token, ...options });
  }

  /** One call; any status is an answer. */
  async call(
    method: string,
    path: string,
    more: Omit<Call, 'method' | 'path'> = {},
  ): Promise<Reply> {
    const call = this.complete({ method, path, ...more });
    const answer = await send(this.platform.listener, call);
    const text = answer.bytes.toString('utf8');
    let json: unknown;
    if (/json/.test(answer.headers['content-type'] ?? '')) {
      try {
        json = JSON.parse(text);
      } catch {
        json = undefined;
      }
    }
    this.platform.answers.add(call, answer);
    const message = (json as { message?: string } | undefined)?.message ?? '';
    return { ...answer, text, json, message };
  }

  /** One call that must succeed; answers the envelope's result. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async ask<T = any>(method: string, path: string, body?: unknown): Promise<T> {
    const more = body === undefined ? {} : jsonBody(body);
    const reply = await this.call(method, path, more);
    if (reply.status < 200 || reply.status > 299) throw new Refused({ method, path }, reply);
    return reply.json?.result as T;
  }

  /** The record, or undefined when there is none. */
  async find<T>(path: string): Promise<T | undefined> {
    const reply = await this.call('GET', path);
    if (reply.status === 404) return undefined;
    if (reply.status !== 200) throw new Refused({ method: 'GET', path }, reply);
    return reply.json.result as T;
  }

  send(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const json = jsonBody(body);
    return this.call(method, path, { ...json, headers: { ...json.headers, ...headers } });
  }

  upload(path: string, content: string | Buffer, name = 'file'): Promise<Reply> {
    const mark = 'part-of-a-test';
    const head = `--${mark}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    return this.call('POST', path, {
      headers: { 'content-type': `multipart/form-data; boundary=${mark}` },
      body: Buffer.concat([
        Buffer.from(head),
        Buffer.from(content),
        Buffer.from(`\r\n--${mark}--\r\n`),
      ]),
    });
  }

  /** A job's events as they happen. Ends when the server ends the stream or `until` is aborted. */
  async *events(path: string, last?: string, until?: AbortSignal): AsyncGenerator<ServerEvent> {
    const headers = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) };
    const call = this.complete({ method: 'GET', path, headers });
    const stream = await open({ port: this.platform.port }, call);
    const cut = () => stream.destroy();
    until?.addEventListener('abort', cut);
    try {
      if (stream.statusCode !== 200) throw new Error(`GET ${path} answered ${stream.statusCode}`);
      yield* serverEvents(stream);
    } catch (error) {
      if (!until?.aborted) throw error;
    } finally {
      until?.removeEventListener('abort', cut);
      stream.destroy();
    }
  }

  private complete(call: Call): Call {
    const token = this.token ? { [this.platform.header('Token')]: this.token } : {};
    const headers = {
      host: this.platform.hostOf(this.tenant),
      ...token,
      ...this.options.headers,
      ...call.headers,
    };
    return { ...call, headers };
  }
}

export const jsonBody = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
