import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { problemOf } from '@libs/envelope';
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
      .set({ 'Cache-Control': 'no-store', ...problem.headers })
      .json(rawProblem(problem));
  }
}
