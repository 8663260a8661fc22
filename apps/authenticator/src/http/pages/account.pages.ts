import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, Repeatable } from '@libs/auth';
import { isApiError } from '@libs/envelope';
import type { Request, Response } from 'express';
import { AccountActions } from '../../actions/accounts.actions';
import { Consents } from '../../actions/consents';
import { SecondFactor } from '../../actions/second-factor';
import { UserSources } from '../../actions/user-sources';
import { accountPage, type AccountState, newCodesPage, setUpPage } from '../../views/account.view';
import type { Around } from '../../views/webapp.view';
import { PageProblems } from './page-problems';
import { type LoggedIn, Pages } from './pages';
import { qrCode } from './qr-code';
import { Webapp } from './webapp';

const TO = 'account';
const WRONG = 'This code is not right, or was used already.';
type Somebody = LoggedIn & { around: Around };
const whoIs = ({ tenant, user, address }: LoggedIn) => ({
  tenant: tenant.tenant_id,
  username: user.username,
  address,
});

/** What a person keeps of the own account: second factor, password, clients that need not ask. */
@ApiExcludeController()
@Public()
@UseFilters(PageProblems)
@Controller('v3/oauth2/webapp/account')
export class AccountPages {
  constructor(
    private readonly pages: Pages,
    private readonly webapp: Webapp,
    private readonly factor: SecondFactor,
    private readonly accounts: AccountActions,
    private readonly consents: Consents,
    private readonly sources: UserSources,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.open(request, response, TO);
    if (somebody) await this.overview(response, somebody);
  }

  @Get('factor')
  async setUp(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.open(request, response, TO);
    if (!somebody) return;
    if (await this.isKept(whoIs(somebody))) return this.pages.go(response, 'webapp/account');
    return this.offer(response, somebody);
  }

  @Repeatable()
  @Post('factor')
  async confirm(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.form(request, response, TO);
    if (!somebody) return;
    if (await this.isKept(whoIs(somebody))) return this.pages.go(response, 'webapp/account');
    const codes = await this.factor.confirm(whoIs(somebody), somebody.value('code'));
    if (!codes) return this.offer(response, somebody, WRONG);
    this.pages.send(response, newCodesPage(somebody.around, codes));
  }

  /** Each change of the factor needs the factor. */
  @Repeatable()
  @Post('factor/change')
  async changeFactor(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.form(request, response, TO);
    if (!somebody) return;
    const who = whoIs(somebody);
    if (!(await this.factor.of(who))) return this.pages.go(response, 'webapp/account');
    if (!(await this.factor.verify(who, somebody.value('code'))))
      return this.overview(response, somebody, { problem: { of: 'factor', text: WRONG } });
    if (somebody.value('what') === 'remove' && !(await this.factor.rules(who.tenant)).required) {
      await this.factor.remove(who, {
        ...who,
        event: 'account',
        outcome: 'SECOND_FACTOR_REMOVED',
        status: 200,
        by: `${who.username}@${who.tenant}`,
      });
      return this.overview(response, somebody, { said: 'The second factor is removed.' });
    }
    this.pages.send(response, newCodesPage(somebody.around, await this.factor.newCodes(who)));
  }

  @Repeatable()
  @Post('password')
  async password(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.form(request, response, TO);
    if (!somebody) return;
    const passwords = { old: somebody.value('old_password'), new: somebody.value('new_password') };
    try {
      await this.accounts.changeOwnPassword(whoIs(somebody), passwords, somebody.id);
    } catch (error) {
      if (!isApiError(error, 400)) throw error;
      return this.overview(response, somebody, { problem: { of: 'password', text: error.text } });
    }
    return this.overview(response, somebody, { said: 'The password is changed.' });
  }

  @Repeatable()
  @Post('consents')
  async forget(@Req() request: Request, @Res() response: Response) {
    const somebody = await this.webapp.form(request, response, TO);
    if (!somebody) return;
    const { tenant, username } = whoIs(somebody);
    await this.consents.forget(tenant, username, somebody.value('client_id'));
    this.pages.go(response, 'webapp/account');
  }

  /** Set up already, or not to be set up here. */
  private async isKept(who: ReturnType<typeof whoIs>): Promise<boolean> {
    return !!(await this.factor.rules(who.tenant)).privacyidea || !!(await this.factor.of(who));
  }

  private async overview(
    response: Response,
    somebody: Somebody,
    more: Pick<AccountState, 'said' | 'problem'> = {},
  ): Promise<void> {
    const who = whoIs(somebody);
    const [enrolled, rules, ownPassword, consents] = await Promise.all([
      this.factor.of(who),
      this.factor.rules(who.tenant),
      this.hasOwnPassword(who),
      this.consents.list(who.tenant, who.username),
    ]);
    const state = {
      codesLeft: enrolled?.codesLeft,
      required: rules.required,
      elsewhere: !!rules.privacyidea,
      consents,
    };
    const page = accountPage(somebody.around, { ...state, ownPassword, ...more });
    this.pages.send(response, page, { status: more.problem ? 400 : 200 });
  }

  private async hasOwnPassword({ tenant, username }: ReturnType<typeof whoIs>): Promise<boolean> {
    return (
      (await this.sources.isDirectory(tenant)) && (await this.accounts.isHere(tenant, username))
    );
  }

  private async offer(response: Response, somebody: Somebody, problem?: string): Promise<void> {
    const { secret, uri } = await this.factor.offer(whoIs(somebody));
    const page = setUpPage(somebody.around, { secret, qr: await qrCode(uri) }, problem);
    this.pages.send(response, page);
  }
}
