import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { Public, Repeatable } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Gives } from '@libs/service-kit';
import type { Request } from 'express';
import { DeviceAuthorizations } from '../actions/device-authorizations';
import { TokenGrants } from '../actions/token-grants';
import { RequestSource } from './request-source';
import { DeviceAnswer, TokenAnswer } from './token-answers';
import { DeviceRequest, RevokeRequest, TokenRequest } from './token.request';

/** Nobody on the way may keep a token (RFC 6749, 5.1). */
export const NOT_CACHED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** Tokens in the platform's envelope. JSON and form bodies; the tenant is the one of the request's host. */
@Public()
@Repeatable()
@Controller('v3/oauth2')
export class TokensController {
  constructor(
    private readonly grants: TokenGrants,
    private readonly devices: DeviceAuthorizations,
    private readonly source: RequestSource,
  ) {}

  @Post('tokens')
  @HttpCode(200)
  @Gives(TokenAnswer)
  async create(@Body() body: TokenRequest, @Req() request: Request) {
    const made = await this.grants.grant(body, await this.source.origin(request));
    const headers = NOT_CACHED;
    return reply('AUTHENTICATOR_TOKEN_CREATED', 'Token created successfully.', made, { headers });
  }

  @Post('tokens/revoke')
  @HttpCode(200)
  @Gives('nothing')
  async revoke(@Body() { token }: RevokeRequest, @Req() request: Request) {
    await this.grants.revoke(token, await this.source.origin(request));
    return reply('AUTHENTICATOR_TOKEN_REVOKED', 'The token is revoked.', null);
  }

  @Post('device/code')
  @HttpCode(200)
  @Gives(DeviceAnswer)
  async device(@Body() body: DeviceRequest, @Req() request: Request) {
    const made = await this.devices.start(body, await this.source.origin(request));
    const headers = NOT_CACHED;
    return reply('AUTHENTICATOR_DEVICE_CODE_CREATED', 'Device code created.', made, { headers });
  }
}
