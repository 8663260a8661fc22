import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { envelopeOf, isReply, NotFound, problemOf, reply } from '@libs/envelope';

export interface DoubleRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** Parsed when the content type is JSON, else the bytes as they came. */
  body: unknown;
  /** Values of `:name` parts of the route. */
  params: Record<string, string>;
}

/** Answers a result, a `reply`, a stream of bytes, or throws an ApiError. */
export type DoubleHandler = (request: DoubleRequest) => unknown;

/** A stream that is answered with another status or more headers. */
type Bytes = Readable & { answers?: { status: number; headers: Record<string, string> } };

interface Route {
  method: string;
  pattern: RegExp;
  handler: DoubleHandler;
}

const VERSION = { version: '0', commit: 'double', build: '0' };

/** A small HTTP server that speaks the platform's envelope; routes given later win. */
export class DoubleServer {
  readonly requests: DoubleRequest[] = [];
  private readonly routes: Route[] = [];
  private server?: Server;
  url = '';

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      void this.answer(request).then(
        (answer) => {
          if (answer instanceof Readable) {
            const { status, headers } = (answer as Bytes).answers ?? { status: 200, headers: {} };
            return void answer.pipe(response.writeHead(status, headers));
          }
          const body = isReply(answer) ? answer : reply('DOUBLE_OK', 'done', answer ?? null);
          response.writeHead(body.status, { 'Content-Type': 'application/json', ...body.headers });
          response.end(JSON.stringify(envelopeOf(body, VERSION)));
        },
        (error: unknown) => {
          const problem = problemOf(error);
          response.writeHead(problem.status, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify(envelopeOf(problem, VERSION)));
        },
      );
    });
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** `:name` takes one part of the path, `*name` the rest. */
  serve(method: string, route: string, handler: DoubleHandler): void {
    const source = route
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:(\w+)/g, '(?<$1>[^/]+)')
      .replace(/\*(\w+)/g, '(?<$1>.*)');
    this.routes.unshift({ method, pattern: new RegExp(`^${source}$`), handler });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server?.close(() => resolve());
      this.server?.closeAllConnections();
    });
  }

  private async answer(request: IncomingMessage): Promise<unknown> {
    const url = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const json = request.headers['content-type']?.includes('json') && bytes.length;
    const seen: DoubleRequest = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: json ? JSON.parse(bytes.toString()) : bytes,
      params: {},
    };
    this.requests.push(seen);
    for (const { method, pattern, handler } of this.routes) {
      const match = method === seen.method && pattern.exec(seen.path);
      if (!match) continue;
      const params = Object.entries(match.groups ?? {});
      seen.params = Object.fromEntries(params.map(([k, v]) => [k, decodeURIComponent(v)]));
      return handler(seen);
    }
    throw new NotFound('DOUBLE_NO_ROUTE', `${seen.method} ${seen.path} is not in the double`);
  }
}
