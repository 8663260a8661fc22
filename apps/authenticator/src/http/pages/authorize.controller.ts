import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, Repeatable } from '@libs/auth';
import type { Request, Response } from 'express';
import { Authorizations } from '../../actions/authorizations';
import { Consents } from '../../actions/consents';
import { policySource, withFlow } from '../../domain/login-flow';
import { consentPage } from '../../views/consent.view';
import { html } from '../../views/html';
import { messagePage } from '../../views/login.view';
import { PageProblems } from './page-problems';
import { Pages } from './pages';

/** A client asks for a code or a token; the person says yes or no. */
@ApiExcludeController()
@Public()
@UseFilters(PageProblems)
@Controller('v3/oauth2/authorize')
export class AuthorizeController {
  constructor(
    private readonly pages: Pages,
    private readonly authorizations: Authorizations,
    private readonly consents: Consents,
  ) {}

  @Get()
  async ask(@Req() request: Request, @Res() response: Response) {
    const browser = await this.pages.open(request, response);
    if (browser.flow.response_type === 'device_code')
      return this.pages.go(response, withFlow('device', browser.flow));
    const tenant = browser.tenant.tenant_id;
    const asked = await this.authorizations.check(tenant, browser.flow, browser.address);
    const somebody = this.pages.loggedIn(browser, response);
    if (!somebody) return;
    const { user, csrf, flow, address } = somebody;
    if (await this.consents.isGiven(asked, user.username))
      return this.pages.away(response, await this.authorizations.approve(asked, user, address));
    const { display_name, description } = asked.client;
    const page = consentPage({
      tenant,
      csrf,
      flow,
      username: user.username,
      client: display_name,
      description,
      redirectUri: asked.redirectUri,
      mayRemember: true,
    });
    this.pages.send(response, page, { leadsTo: policySource(asked.redirectUri) });
  }

  @Repeatable()
  @Post()
  async answer(@Req() request: Request, @Res() response: Response) {
    const form = await this.pages.form(request, response);
    const asked = await this.authorizations.check(form.tenant.tenant_id, form.flow, form.address);
    const somebody = this.pages.loggedIn(form, response);
    if (!somebody) return;
    const { user, address } = somebody;
    if (form.value('approve') !== 'yes') {
      await this.authorizations.refuse(asked, user, address);
      const said = html`<p>
        <strong>${asked.client.display_name}</strong> gets nothing. You can close this page.
      </p>`;
      const page = messagePage('Access denied', said, { tenant: form.tenant.tenant_id });
      return this.pages.send(response, page, { status: 403 });
    }
    if (form.value('remember') === 'yes') await this.consents.remember(asked, user.username);
    this.pages.away(response, await this.authorizations.approve(asked, user, address));
  }
}
