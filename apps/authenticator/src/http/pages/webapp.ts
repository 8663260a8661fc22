import { Injectable } from '@nestjs/common';
import { NotFound } from '@libs/envelope';
import type { Request, Response } from 'express';
import { TenantConfigs } from '../../actions/tenant-configs';
import type { Flow } from '../../domain/login-flow';
import type { Around } from '../../views/webapp.view';
import { type Browser, type LoggedIn, Pages } from './pages';

/** What the pages of the web application have in common: it must be switched on, and somebody be logged in. */
@Injectable()
export class Webapp {
  constructor(
    private readonly pages: Pages,
    private readonly configs: TenantConfigs,
  ) {}

  /** Undefined when the browser was sent away to log in first. */
  async open(
    request: Request,
    response: Response,
    to: Flow['to'],
  ): Promise<(LoggedIn & { around: Around }) | undefined> {
    return this.entered(await this.pages.open(request, response), response, to);
  }

  /** The same for a form, with its values. */
  async form(request: Request, response: Response, to: Flow['to']) {
    return this.entered(await this.pages.form(request, response), response, to);
  }

  private async entered<B extends Browser>(
    browser: B,
    response: Response,
    to: Flow['to'],
  ): Promise<(B & LoggedIn & { around: Around }) | undefined> {
    const { tenant_id: tenant } = browser.tenant;
    const { use_token_webapp } = await this.configs.of(tenant);
    if (!use_token_webapp)
      throw new NotFound(
        'AUTHENTICATOR_NO_WEBAPP',
        `Tenant ${tenant} does not offer the token web application (use_token_webapp).`,
      );
    const somebody = this.pages.loggedIn({ ...browser, flow: {} }, response, to);
    if (!somebody) return undefined;
    const { csrf, user } = somebody;
    return { ...somebody, around: { tenant, username: user.username, csrf } };
  }
}
