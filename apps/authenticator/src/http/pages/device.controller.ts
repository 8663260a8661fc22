import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, Repeatable } from '@libs/auth';
import type { Request, Response } from 'express';
import { Authorizations } from '../../actions/authorizations';
import { LoginGuard } from '../../actions/login-guard';
import { TenantConfigs } from '../../actions/tenant-configs';
import { deviceCodePage, deviceConsentPage } from '../../views/consent.view';
import { html } from '../../views/html';
import { messagePage } from '../../views/login.view';
import { PageProblems } from './page-problems';
import { type LoggedIn, Pages } from './pages';

const UNKNOWN = 'This code is not known, or no longer good.';
const DAY_SECONDS = 86_400;

/** A program on another machine waits for somebody to let it in. */
@ApiExcludeController()
@Public()
@UseFilters(PageProblems)
@Controller('v3/oauth2/device')
export class DeviceController {
  constructor(
    private readonly pages: Pages,
    private readonly authorizations: Authorizations,
    private readonly guard: LoginGuard,
    private readonly configs: TenantConfigs,
  ) {}

  /** A code in the address is filled in, and still has to be sent by the person (RFC 8628, 3.3.1). */
  @Get()
  async ask(@Req() request: Request, @Res() response: Response) {
    const browser = await this.pages.open(request, response);
    const somebody = this.pages.loggedIn(browser, response, 'device');
    if (somebody) this.code(response, somebody);
  }

  @Repeatable()
  @Post()
  async answer(@Req() request: Request, @Res() response: Response) {
    const form = await this.pages.form(request, response);
    const somebody = this.pages.loggedIn(form, response, 'device');
    if (!somebody) return;
    const { tenant_id: tenant } = somebody.tenant;
    const { username } = somebody.user;
    // counted apart from passwords
    const who = { tenant, username: `${username} device`, address: somebody.address };
    const typed = form.value('user_code');
    const asked = await this.guard.attempt(
      who,
      () => this.authorizations.device(tenant, typed),
      'device_code',
    );
    if (!asked) return this.code(response, somebody, UNKNOWN);
    const decision = form.value('approve');
    if (!decision) return this.decide(response, somebody, asked);
    const name = asked.client.display_name;
    if (decision !== 'yes') {
      await this.authorizations.refuseDevice(tenant, asked.userCode, somebody.user, who.address);
      const said = html`<p><strong>${name}</strong> gets nothing. You can close this page.</p>`;
      return this.pages.send(response, messagePage('Access denied', said, { tenant }), {
        status: 403,
      });
    }
    const days = Number(form.value('ttl_days')) || undefined;
    await this.authorizations.approveDevice(
      tenant,
      asked.userCode,
      somebody.user,
      days,
      who.address,
    );
    const said = html`<p>
      <strong>${name}</strong> goes on by itself in a moment. You can close this page.
    </p>`;
    this.pages.send(response, messagePage('Connected', said, { tenant }));
  }

  private code(response: Response, { tenant, csrf, flow }: LoggedIn, problem?: string): void {
    const page = deviceCodePage({ tenant: tenant.tenant_id, csrf, flow, problem });
    this.pages.send(response, page);
  }

  private async decide(
    response: Response,
    { tenant, csrf, flow, user }: LoggedIn,
    {
      client,
      userCode,
    }: { client: { display_name: string; description: string }; userCode: string },
  ): Promise<void> {
    const config = await this.configs.of(tenant.tenant_id);
    const page = deviceConsentPage({
      tenant: tenant.tenant_id,
      csrf,
      flow,
      username: user.username,
      client: client.display_name,
      description: client.description,
      userCode,
      days: Math.max(1, Math.floor(config.max_access_token_ttl / DAY_SECONDS)),
    });
    this.pages.send(response, page);
  }
}
