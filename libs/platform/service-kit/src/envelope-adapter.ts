import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { isReply, MethodNotAllowed, NotFound, reply } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Answers } from './answer';
import { methodsOf } from './methods-of';

/**
 * The framework's door to HTTP. What a handler returns becomes an envelope here instead of in an interceptor: one
 * function call per request. Streams pass as they are; unknown paths and methods end in the envelope too.
 */
export class EnvelopeAdapter extends ExpressAdapter {
  constructor(
    private readonly app: Express,
    private readonly answers: Answers,
  ) {
    super(app);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (isReply(body)) return this.answers.reply(response.req, response, body);
    if (body instanceof StreamableFile || Buffer.isBuffer(body))
      return super.reply(response, body, statusCode === 201 ? 200 : statusCode);
    return this.answers.reply(
      response.req,
      response,
      reply(platform().code('OK'), 'done', body ?? null),
    );
  }

  override setNotFoundHandler(): unknown {
    return this.app.use((request: Request) => {
      const allowed = methodsOf(this.app, request.path);
      if (allowed.length)
        throw new MethodNotAllowed(
          platform().code('METHOD_NOT_ALLOWED'),
          `${request.method} is not served on ${request.path}`,
          allowed,
        );
      throw new NotFound(platform().code('NO_ROUTE'), `Nothing is served at ${request.path}`);
    });
  }

  override setErrorHandler(): unknown {
    return this.app.use(
      (error: unknown, request: Request, response: Response, _next: NextFunction) =>
        this.answers.problem(request, response, error),
    );
  }
}
