import express, { type Express } from 'express';

/** JSON bodies of the platform's services are small; files travel as streams that no parser touches. */
export const BODY_LIMIT = 1024 * 1024;

/** Stands for a body of a kind that is not parsed: handlers that read the stream don't mind, others answer 415. */
export class UnparsedBody {
  constructor(readonly contentType: string) {}
}

export function addBodyParsers(app: Express): void {
  app.use(express.json({ limit: BODY_LIMIT, strict: false, type: ['application/json', '+json'] }));
  app.use(express.urlencoded({ limit: BODY_LIMIT, extended: false }));
  app.use((request, _response, next) => {
    const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
    if (request.body === undefined && (chunked || Number(length) > 0))
      request.body = new UnparsedBody(request.headers['content-type'] ?? 'none');
    next();
  });
}
