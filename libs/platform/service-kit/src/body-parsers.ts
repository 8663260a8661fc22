import express, { type Express, type Request, type RequestHandler } from 'express';

/** JSON bodies of the platform's services are small; files travel as streams that no parser touches. */
export const BODY_LIMIT = 1024 * 1024;

/** Stands for a body of a kind that is not parsed: handlers that read the stream don't mind, others answer 415. */
export class UnparsedBody {
  constructor(readonly contentType: string) {}
}

const KINDS = ['application/json', '+json'];

export function addBodyParsers(app: Express): void {
  app.use(whenBody(express.json({ limit: BODY_LIMIT, strict: false, type: KINDS })));
  app.use(whenBody(express.urlencoded({ limit: BODY_LIMIT, extended: false })));
  app.use((request, _response, next) => {
    if (request.body === undefined && hasBody(request))
      request.body = new UnparsedBody(request.headers['content-type'] ?? 'none');
    next();
  });
}

/** Most requests have no body: then no parser is asked. */
const whenBody =
  (parser: RequestHandler): RequestHandler =>
  (request, response, next) =>
    hasBody(request) ? parser(request, response, next) : next();

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}
