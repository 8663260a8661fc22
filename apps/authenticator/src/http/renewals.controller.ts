import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Caller, Repeatable, ServicesOnly } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Gives } from '@libs/service-kit';
import { TokenGrants } from '../actions/token-grants';
import { TokenAnswer } from './token-answers';
import { RenewRequest } from './token.request';
import { NOT_CACHED } from './tokens.controller';

/** What the tokens service asks when a refresh token of a client was handed to it. */
@ServicesOnly('tokens')
@Controller('v3/oauth2')
export class RenewalsController {
  constructor(private readonly grants: TokenGrants) {}

  @Repeatable()
  @Post('tokens/renew')
  @HttpCode(200)
  @Gives(TokenAnswer)
  async renew(@Caller() { tenant }: Caller, @Body() body: RenewRequest) {
    const made = await this.grants.renew(body.refresh_token, body.client_id, tenant);
    const headers = NOT_CACHED;
    return reply('AUTHENTICATOR_TOKEN_CREATED', 'Token renewed.', made, { headers });
  }
}
