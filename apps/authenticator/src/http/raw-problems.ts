import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { type ApiError, problemOf } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { Log } from '@libs/service-kit';
import type { Response } from 'express';
import { rawProblem } from '../domain/oauth-problem';

/** Refusals as RFC 6749 (5.2) writes them: `error` and `error_description`, no envelope. */
@Injectable()
@Catch()
export class RawProblems implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const problem = problemOf(thrown);
    if (problem.status >= 500) this.log.error({ err: problem.cause ?? thrown }, problem.message);
    if (response.headersSent) return void response.destroy();
    response
      .status(problem.status)
      .set({ 'Cache-Control': 'no-store', ...challenge(problem), ...problem.headers })
      .json(rawProblem(problem));
  }
}

/** A 401 says what would do, and to whom showed a token that it was not good (RFC 6750, 3). */
function challenge({ status, code }: ApiError): Record<string, string> {
  if (status !== 401) return {};
  const missing = code === platform().code('TOKEN_MISSING');
  return { 'WWW-Authenticate': missing ? 'Bearer' : 'Bearer error="invalid_token"' };
}
