import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, Repeatable } from '@libs/auth';
import type { Request, Response } from 'express';
import type { BrowserSession } from '../../actions/browser-logins';
import { SecondFactor } from '../../actions/second-factor';
import { Authorizations } from '../../actions/authorizations';
import { TenantConfigs } from '../../actions/tenant-configs';
import { destination, policySource, withFlow } from '../../domain/login-flow';
import { codesPage, enrolPage, verifyPage } from '../../views/mfa.view';
import { PageProblems } from './page-problems';
import { type Browser, Pages } from './pages';
import { qrCode } from './qr-code';

const WRONG = 'This code is not right, or was used already.';

/** The step after the password: a one-time code, or the set-up of one. */
@ApiExcludeController()
@Public()
@UseFilters(PageProblems)
@Controller('v3/oauth2/mfa')
export class MfaController {
  constructor(
    private readonly pages: Pages,
    private readonly factor: SecondFactor,
    private readonly configs: TenantConfigs,
    private readonly authorizations: Authorizations,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response) {
    const browser = await this.pages.open(request, response);
    const { session } = browser;
    if (!session) return this.pages.go(response, withFlow('login', browser.flow));
    if (session.complete) return this.pages.go(response, await this.next(browser));
    return this.ask(response, { ...browser, session });
  }

  @Repeatable()
  @Post()
  async answer(@Req() request: Request, @Res() response: Response) {
    const form = await this.pages.form(request, response);
    const { session } = form;
    if (!session) return this.pages.go(response, withFlow('login', form.flow));
    if (session.complete) return this.pages.go(response, await this.next(form));
    const browser = { ...form, session };
    const { tenant, username } = session;
    const who = { tenant, username, address: form.address };
    if ((await this.factor.need(who)) === 'enrol') {
      const codes = await this.factor.confirm(who, form.value('code'));
      if (!codes) return this.ask(response, browser, WRONG);
      await this.pages.complete(response, browser);
      return this.pages.send(response, codesPage(tenant, codes, await this.next(form)));
    }
    if (!(await this.factor.verify(who, form.value('code'))))
      return this.ask(response, browser, WRONG);
    await this.pages.complete(response, browser);
    return this.pages.go(response, await this.next(form));
  }

  private async ask(
    response: Response,
    { tenant, csrf, flow, session }: Browser & { session: BrowserSession },
    problem?: string,
  ): Promise<void> {
    const page = { tenant: tenant.tenant_id, csrf, flow, problem };
    const leadsTo = await this.leadsTo(page.tenant, flow);
    if ((await this.factor.need(session)) !== 'enrol') {
      const { privacyidea } = await this.factor.rules(page.tenant);
      return this.pages.send(response, verifyPage(page, !!privacyidea), { leadsTo });
    }
    const { secret, uri } = await this.factor.offer(session);
    const qr = await qrCode(uri);
    this.pages.send(response, enrolPage(page, { secret, qr }), { leadsTo });
  }

  private async leadsTo(tenant: string, flow: Browser['flow']): Promise<string | undefined> {
    if (!flow.client_id || !flow.response_type || flow.to) return undefined;
    if (flow.response_type === 'device_code') return undefined;
    return policySource((await this.authorizations.check(tenant, flow)).redirectUri);
  }

  private async next({ tenant, flow }: Browser): Promise<string> {
    const { use_token_webapp } = await this.configs.of(tenant.tenant_id);
    return destination(flow, use_token_webapp);
  }
}
