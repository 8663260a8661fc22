import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Answers } from './answer';

/** Everything that a handler, guard or pipe throws becomes an answer in the envelope. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly answers: Answers) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const http = host.switchToHttp();
    this.answers.problem(http.getRequest<Request>(), http.getResponse<Response>(), error);
  }
}
