import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { isApiError } from '@libs/envelope';
import { Log } from '@libs/service-kit';
import type { Request, Response } from 'express';
import { html } from '../../views/html';
import { document, ROOT } from '../../views/layout';
import { messagePage } from '../../views/login.view';
import { withFlow, flowOf } from '../../domain/login-flow';
import { guard } from './pages';

const TITLES: Record<number, string> = {
  400: 'This can’t be done',
  403: 'This is not allowed',
  404: 'This is not here',
  429: 'Too many attempts',
  501: 'This is not served',
  502: 'Another server failed',
  504: 'Another server did not answer',
};

/** Whatever goes wrong on a page is said on a page: never a redirect, never a stack. */
@Catch()
export class PageProblems implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const request = http.getRequest<Request>();
    const known = isApiError(error) ? error : undefined;
    if (!known || known.status >= 500)
      this.log.error({ err: error, path: request.path }, 'A page failed');
    if (response.headersSent) return void response.destroy();
    // nobody's tenant: it can be chosen
    if (known?.code === 'AUTHENTICATOR_NO_TENANT' && request.method === 'GET') {
      guard(response);
      const choice = `${ROOT}/${withFlow('tenant', flowOf(request.query))}`;
      return void response.status(302).setHeader('Location', choice).end();
    }
    const status = known?.status ?? 500;
    for (const [name, value] of Object.entries(known?.headers ?? {}))
      response.setHeader(name, value);
    guard(response);
    const text = known?.text ?? 'Something went wrong here. Please try again later.';
    const content = html`<p>${text}</p>
      ${known ? html`<p class="hint">${known.code}</p>` : null}`;
    const page = messagePage(TITLES[status] ?? 'Something went wrong', content, { bad: true });
    response.status(status).type('html').send(document(page));
  }
}
