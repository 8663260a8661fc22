import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Caller, Repeatable } from '@libs/auth';
import { reply } from '@libs/envelope';
import { RewrapActions } from '../actions/rewrap.actions';
import { StartActions } from '../actions/start.actions';

/** For the administrators of the site. */
@Controller('v3/security/admin')
export class AdminController {
  constructor(
    private readonly start: StartActions,
    private readonly rewrap: RewrapActions,
  ) {}

  @Get('reinitialize')
  async reinitialize(@Caller() caller: Caller) {
    const done = await this.start.reinitialize(caller);
    const text = done ? 'tenants were read again' : 'ignored: that was done a few minutes ago';
    return reply('SK_REINITIALIZED', text, null);
  }

  @Repeatable()
  @Post('rewrapSecrets')
  @HttpCode(200)
  async rewrapSecrets(@Caller() caller: Caller) {
    const state = await this.rewrap.start(caller);
    return reply('SK_REWRAP', `secrets are wrapped with key ${state.currentKey}`, state);
  }

  @Get('rewrapSecrets')
  async rewrapState(@Caller() caller: Caller) {
    const state = await this.rewrap.state(caller);
    return reply('SK_REWRAP', `${state.remaining} versions are left`, state);
  }
}
