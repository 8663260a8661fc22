import { envelopeOf, problemOf, type Reply, type VersionInfo } from '@libs/envelope';
import type { Request, Response } from 'express';
import type { Log } from './log';
import { nextLink } from './next-link';
import { knownProblem } from './known-problem';

/** Writes the two kinds of answers that a service gives: replies and problems, both in the envelope. */
export class Answers {
  constructor(
    private readonly version: VersionInfo,
    private readonly log: Log,
  ) {}

  reply(request: Request, response: Response, reply: Reply<unknown>): void {
    for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
    if (reply.etag !== undefined) {
      const etag = `"${reply.etag}"`;
      response.setHeader('ETag', etag);
      if (isUnchanged(request, etag)) return void response.status(304).end();
    }
    const next = nextLink(request.originalUrl, reply);
    if (next) response.setHeader('Link', next);
    if (reply.status === 204) return void response.status(204).end();
    this.send(request, response, reply.status, envelopeOf(reply, this.version));
  }

  problem(request: Request, response: Response, thrown: unknown): void {
    const problem = problemOf(knownProblem(thrown));
    if (problem.status >= 500) {
      const err = problem.cause ?? thrown;
      this.log.error({ err, method: request.method, path: request.path }, problem.message);
    }
    if (response.headersSent) return void response.destroy();
    if (problem.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
    this.send(request, response, problem.status, envelopeOf(problem, this.version));
  }

  private send(request: Request, response: Response, status: number, body: object): void {
    const pretty = request.query['pretty'] === 'true' ? 2 : undefined;
    const text = JSON.stringify(body, undefined, pretty);
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(request.method === 'HEAD' ? undefined : text);
  }
}

function isUnchanged(request: Request, etag: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const header = request.headers['if-none-match'];
  if (!header) return false;
  return header
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
