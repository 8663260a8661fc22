import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, from, of, switchMap, throwError, type Observable } from 'rxjs';
import { requestContext } from '@libs/auth';
import { isReply } from '@libs/envelope';
import { Idempotency } from './idempotency';

/** Answers a repeated request from memory, also when the first one is answered while the second already runs. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(@Inject(Idempotency) private readonly idempotency: Idempotency) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http' || !requestContext()?.idempotency) return next.handle();
    const replay = () => from(this.idempotency.replay());
    return replay().pipe(
      switchMap((known) =>
        known
          ? of(known)
          : next.handle().pipe(
              switchMap((answer: unknown) => from(this.kept(answer))),
              catchError((error: unknown) =>
                replay().pipe(switchMap((late) => (late ? of(late) : throwError(() => error)))),
              ),
            ),
      ),
    );
  }

  private async kept(answer: unknown): Promise<unknown> {
    if (isReply(answer)) await this.idempotency.keep(answer);
    return answer;
  }
}
