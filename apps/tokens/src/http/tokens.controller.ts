import { Body, Controller, Get, Headers, HttpCode, Post, Put } from '@nestjs/common';
import { Caller, Public, Repeatable, ServicesOnly } from '@libs/auth';
import { reply } from '@libs/envelope';
import { KeyRotation } from '../actions/key-rotation';
import { NewTokens } from '../actions/new-token';
import { RevokedTokens } from '../actions/revoked-tokens';
import { TokenActions } from '../actions/token-actions';
import { KeyRequest, NewToken, RefreshRequest, RevokeRequest } from './token.requests';

/** Nobody on the way may keep a token (RFC 6749, 5.1). */
const NOT_CACHED = { 'Cache-Control': 'no-store' };

@Controller('v3/tokens')
export class TokensController {
  constructor(
    private readonly newTokens: NewTokens,
    private readonly tokens: TokenActions,
    private readonly rotation: KeyRotation,
    private readonly revokedTokens: RevokedTokens,
  ) {}

  @Public()
  @Repeatable()
  @Post()
  @HttpCode(201)
  async create(
    @Body() body: NewToken,
    @Caller() caller: Caller | undefined,
    @Headers('authorization') authorization: string | undefined,
  ) {
    const made = await this.newTokens.make(body, authorization, caller);
    return reply(
      'TOKENS_CREATED',
      `token of ${body.token_username}@${body.token_tenant_id}`,
      made,
      { status: 201, headers: NOT_CACHED },
    );
  }

  @Public()
  @Put()
  async refresh(@Body() body: RefreshRequest, @Caller() caller: Caller | undefined) {
    const made = await this.tokens.refresh(body.refresh_token, caller);
    return reply('TOKENS_REFRESHED', 'a new pair', made, { headers: NOT_CACHED });
  }

  @Public()
  @Post('revoke')
  async revoke(@Body() body: RevokeRequest) {
    await this.tokens.revoke(body.token);
    return reply('TOKENS_REVOKED', 'the token is revoked', null);
  }

  @ServicesOnly()
  @Get('revoked')
  async revoked() {
    const revoked = await this.revokedTokens.load();
    return reply('TOKENS_REVOKED_FOUND', `${revoked.length} revoked tokens`, revoked);
  }

  @Put('keys')
  async renewKey(@Caller() caller: Caller, @Body() { tenant_id }: KeyRequest) {
    const public_key = await this.rotation.rotate(caller, tenant_id);
    return reply('TOKENS_KEY_RENEWED', `tenant ${tenant_id} signs with a new key`, { public_key });
  }
}
