import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { AnySite, ServicesOnly } from '@libs/auth';
import { reply } from '@libs/envelope';
import { IssuedTokens } from '../actions/issued-tokens';
import { RevokeIssued } from './authenticator.requests';

/** What the tokens services of the sites tell each other. */
@ServicesOnly('tokens')
@Controller('v3/tokens')
export class SitesController {
  constructor(private readonly issued: IssuedTokens) {}

  /** From an associate to the primary: tokens of its tenants that must not be taken any more. */
  @AnySite()
  @Post('revoked')
  @HttpCode(200)
  async addRevoked(@Body() { tokens }: RevokeIssued) {
    await this.issued.addRevoked(tokens);
    return reply('TOKENS_REVOKED', `${tokens.length} tokens are revoked`, null);
  }
}
