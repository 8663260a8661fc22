import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, Repeatable, Tenants } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import type { Request, Response } from 'express';
import { Authorizations } from '../../actions/authorizations';
import { OutsideLogins } from '../../actions/outside-logins';
import { SignIn } from '../../actions/sign-in';
import { TenantConfigs } from '../../actions/tenant-configs';
import type { Authorization } from '../../domain/authorization';
import { identityProviders } from '../../domain/identity-providers';
import { destination, flowOf, policySource, withFlow } from '../../domain/login-flow';
import { ROOT } from '../../views/layout';
import {
  donePage,
  loginPage,
  providersPage,
  type TenantChoice,
  tenantsPage,
} from '../../views/login.view';
import { cookieOf, setCookie } from './cookies';
import { PageProblems } from './page-problems';
import { type Browser, Pages } from './pages';

const WAY_OUT = 'outside';
const WAY_OUT_SECONDS = 900;
const WRONG = 'Invalid username/password combination.';

/** The doors: by password, by an outside provider, to another tenant. */
@ApiExcludeController()
@Public()
@UseFilters(PageProblems)
@Controller('v3/oauth2')
export class LoginController {
  constructor(
    private readonly pages: Pages,
    private readonly signIn: SignIn,
    private readonly authorizations: Authorizations,
    private readonly configs: TenantConfigs,
    private readonly outside: OutsideLogins,
    private readonly tenants: Tenants,
  ) {}

  @Get('login')
  async show(@Req() request: Request, @Res() response: Response, @Query('idp') idp?: unknown) {
    const browser = await this.pages.open(request, response);
    const asked = await this.asked(browser);
    if (browser.session?.complete) return this.on(response, browser);
    const providers = identityProviders(
      (await this.configs.of(browser.tenant.tenant_id)).custom_idp_configuration,
    );
    if (!providers.length) return this.form(response, browser, asked);
    const chosen = providers.find(({ idpId }) => idpId === null || idpId === idp);
    if (!chosen) return this.pages.go(response, withFlow('idp', browser.flow));
    const { url, way } = await this.outside.begin(browser.tenant, chosen, browser.flow);
    setCookie(response, WAY_OUT, way, { secure: browser.secure, seconds: WAY_OUT_SECONDS });
    return this.pages.away(response, url);
  }

  @Repeatable()
  @Post('login')
  async password(@Req() request: Request, @Res() response: Response) {
    const browser = await this.pages.form(request, response);
    const asked = await this.asked(browser);
    const { tenant_id: tenant } = browser.tenant;
    const username = browser.value('username').trim();
    const who = { tenant, username, address: browser.address };
    const password = browser.value('password');
    const person =
      username && password ? await this.signIn.byPassword(who, password, 'login') : null;
    if (!person) return this.form(response, browser, asked, { username, problem: WRONG });
    const arrival = { tenant, username: person.username, idpId: null };
    const complete = await this.pages.arrive(request, response, browser, arrival);
    if (!complete) return this.pages.go(response, withFlow('mfa', browser.flow));
    return this.on(response, browser);
  }

  /** Back from an outside provider. */
  @Get('extensions/oa2/callback')
  async back(@Req() request: Request, @Res() response: Response) {
    const browser = await this.pages.open(request, response);
    const way = cookieOf(request, WAY_OUT);
    setCookie(response, WAY_OUT, '', { secure: browser.secure });
    const query = request.query as Record<string, unknown>;
    const { person, flow } = await this.outside.finish(browser.tenant, way, query, browser.address);
    const complete = await this.pages.arrive(request, response, browser, person);
    if (!complete) return this.pages.go(response, withFlow('mfa', flow));
    return this.on(response, { ...browser, flow });
  }

  @Get('idp')
  async providers(@Req() request: Request, @Res() response: Response) {
    const { tenant, flow } = await this.pages.open(request, response);
    const config = await this.configs.of(tenant.tenant_id);
    const providers = identityProviders(config.custom_idp_configuration);
    if (providers.length < 2) return this.pages.go(response, withFlow('login', flow));
    return this.pages.send(response, providersPage(tenant.tenant_id, providers, flow));
  }

  @Get('tenant')
  choose(@Req() request: Request, @Res() response: Response) {
    const choices = this.tenants.all() as TenantChoice[];
    const sorted = [...choices].sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1));
    this.pages.send(response, tenantsPage(sorted, flowOf(request.query)));
  }

  /** To the login page of a tenant of the registry, and nowhere else. */
  @Repeatable()
  @Post('tenant')
  chosen(@Req() request: Request, @Res() response: Response) {
    const id = String((request.body as Record<string, unknown> | undefined)?.['tenant'] ?? '');
    const tenant = this.tenants.tenant(id);
    if (!tenant) throw new BadInput('AUTHENTICATOR_TENANT', `There is no tenant "${id}".`);
    const login = withFlow('login', flowOf(request.body));
    this.pages.away(response, `${tenant.base_url}${ROOT}/${login}`);
  }

  @Get('done')
  async done(@Req() request: Request, @Res() response: Response) {
    const somebody = this.pages.loggedIn(await this.pages.open(request, response), response);
    if (!somebody) return;
    this.pages.send(response, donePage(somebody.tenant.tenant_id, somebody.user.username));
  }

  /** A request that is not right is refused before anybody types a password for it. */
  private async asked({ tenant, flow, address }: Browser): Promise<Authorization | undefined> {
    if (!flow.client_id || !flow.response_type || flow.to) return undefined;
    if (flow.response_type === 'device_code') return undefined;
    return this.authorizations.check(tenant.tenant_id, flow, address);
  }

  private form(
    response: Response,
    { tenant, csrf, flow }: Browser,
    asked: Authorization | undefined,
    more: { username?: string; problem?: string } = {},
  ): void {
    const client = asked?.client.display_name;
    const page = loginPage({ tenant: tenant.tenant_id, csrf, flow, client, ...more });
    const leadsTo = asked && policySource(asked.redirectUri);
    this.pages.send(response, page, { leadsTo });
  }

  private async on(response: Response, { tenant, flow }: Browser): Promise<void> {
    const { use_token_webapp } = await this.configs.of(tenant.tenant_id);
    this.pages.go(response, destination(flow, use_token_webapp));
  }
}
