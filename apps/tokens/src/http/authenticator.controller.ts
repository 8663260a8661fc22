import { Body, Controller, Post } from '@nestjs/common';
import { Caller, Repeatable, ServicesOnly } from '@libs/auth';
import { reply } from '@libs/envelope';
import { IdentityTokens } from '../actions/identity-tokens';
import { IssuedTokens } from '../actions/issued-tokens';
import { IdentityRequest, RevokeIssued } from './authenticator.requests';

/** What the authenticator alone asks for. */
@ServicesOnly('authenticator')
@Controller('v3/tokens')
export class AuthenticatorController {
  constructor(
    private readonly identities: IdentityTokens,
    private readonly issued: IssuedTokens,
  ) {}

  /** For the person on whose behalf the call is made. */
  @Repeatable()
  @Post('identity')
  async identity(@Caller() { tenant, user }: Caller, @Body() body: IdentityRequest) {
    const { audience, ttl: seconds, claims } = body;
    const id_token = await this.identities.make(tenant, user, { audience, seconds, claims });
    const headers = { 'Cache-Control': 'no-store' };
    return reply(
      'TOKENS_IDENTITY',
      `identity token of ${user}@${tenant}`,
      { id_token },
      { headers },
    );
  }

  /** Ends tokens by their ids: of a deleted client, or of a code that came twice. */
  @Post('revoke/issued')
  async revokeIssued(@Body() { tokens }: RevokeIssued) {
    await this.issued.revoke(tokens);
    return reply('TOKENS_REVOKED', `${tokens.length} logins have ended`, null);
  }
}
