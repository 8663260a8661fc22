import { randomBytes } from 'node:crypto';
import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { TenantEntry } from '@libs/auth';
import { Public, Repeatable } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { decodeJwt } from 'jose';
import type { Request, Response } from 'express';
import { ClientActions } from '../../actions/clients.actions';
import { PageSigner } from '../../actions/page-signer';
import { TokenGrants } from '../../actions/token-grants';
import { withFlow } from '../../domain/login-flow';
import { challengeOf } from '../../domain/pkce';
import { ROOT } from '../../views/layout';
import { revokedPage, type ShownToken, tokenPage } from '../../views/webapp.view';
import { cookieOf, setCookie } from './cookies';
import { PageProblems } from './page-problems';
import { type LoggedIn, Pages } from './pages';
import { type Kept, Wallet } from './wallet';
import { Webapp } from './webapp';

const WAY = 'webapp-way';
const WAY_SECONDS = 900;
const callbackOf = ({ base_url }: TenantEntry): string => `${base_url}${ROOT}/webapp/callback`;
const whoIs = ({ tenant, user }: LoggedIn): string => `${user.username}@${tenant.tenant_id}`;

/** The token web application: an ordinary client of the code flow, with PKCE, that shows what it got. */
@ApiExcludeController()
@Public()
@UseFilters(PageProblems)
@Controller('v3/oauth2/webapp')
export class WebappController {
  constructor(
    private readonly pages: Pages,
    private readonly webapp: Webapp,
    private readonly wallet: Wallet,
    private readonly clients: ClientActions,
    private readonly grants: TokenGrants,
    private readonly signer: PageSigner,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response) {
    const tenant = (await this.pages.open(request, response)).tenant;
    // its cookies must be there when the browser comes back to the address of the tenant
    if (request.headers.host !== new URL(tenant.base_url).host)
      return this.pages.away(response, `${tenant.base_url}${ROOT}/webapp`);
    const somebody = await this.webapp.open(request, response, 'webapp');
    if (!somebody) return;
    const kept = this.wallet.read(request, whoIs(somebody));
    if (!kept) return this.begin(response, somebody);
    this.pages.send(response, tokenPage(somebody.around, shown(kept), Date.now()));
  }

  @Get('callback')
  async back(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.open(request, response, 'webapp');
    if (!somebody) return;
    const { tenant, address, secure } = somebody;
    const { state, code } = request.query as Record<string, unknown>;
    const mine = cookieOf(request, WAY);
    setCookie(response, WAY, '', { secure, path: '/webapp' });
    if (!mine || mine !== state || typeof code !== 'string')
      throw new BadInput(
        'AUTHENTICATOR_WEBAPP_STATE',
        'This answer does not belong to a login that this browser began. Begin again.',
      );
    const callback = callbackOf(tenant);
    const { client_id } = await this.clients.webapp(tenant.tenant_id, callback);
    const granted = await this.grants.grant(
      {
        grant_type: 'authorization_code',
        client_id,
        code,
        redirect_uri: callback,
        code_verifier: this.verifier(mine),
      },
      { tenant: tenant.tenant_id, address },
    );
    this.wallet.keep(response, whoIs(somebody), granted, secure);
    this.pages.go(response, 'webapp');
  }

  /** Another token in place of this one; without a refresh token by the whole way again. */
  @Repeatable()
  @Post('refresh')
  async refresh(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.form(request, response, 'webapp');
    if (!somebody) return;
    const { tenant, address, secure } = somebody;
    const kept = this.wallet.read(request, whoIs(somebody));
    if (!kept?.refresh) return this.begin(response, somebody);
    const { client_id } = await this.clients.webapp(tenant.tenant_id, callbackOf(tenant));
    const input = { grant_type: 'refresh_token', client_id, refresh_token: kept.refresh };
    const granted = await this.grants.grant(input, { tenant: tenant.tenant_id, address });
    this.wallet.keep(response, whoIs(somebody), granted, secure);
    this.pages.go(response, 'webapp');
  }

  @Repeatable()
  @Post('revoke')
  async revoke(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.form(request, response, 'webapp');
    if (!somebody) return;
    const { tenant, address, secure } = somebody;
    const kept = this.wallet.read(request, whoIs(somebody));
    const origin = { tenant: tenant.tenant_id, address };
    if (kept) await this.grants.revoke(kept.access, origin);
    if (kept?.refresh) await this.grants.revoke(kept.refresh, origin);
    this.wallet.empty(response, secure);
    this.pages.send(response, revokedPage(somebody.around));
  }

  private async begin(response: Response, { tenant, secure }: LoggedIn): Promise<void> {
    const callback = callbackOf(tenant);
    const { client_id } = await this.clients.webapp(tenant.tenant_id, callback);
    const state = randomBytes(24).toString('base64url');
    setCookie(response, WAY, state, { secure, path: '/webapp', seconds: WAY_SECONDS });
    const verifier = this.verifier(state);
    const flow = {
      client_id,
      redirect_uri: callback,
      response_type: 'code',
      state,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    };
    this.pages.go(response, withFlow('authorize', flow));
  }

  private verifier(state: string): string {
    return this.signer.mac(WAY, state);
  }
}

function shown({ access, life, refresh }: Kept): ShownToken {
  const claims = decodeJwt(access);
  return { token: access, claims, life, expires: claims.exp ?? 0, refreshable: !!refresh };
}
