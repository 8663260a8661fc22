import { Body, Controller, Get, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiResponse } from '@nestjs/swagger';
import { Caller, Public, Repeatable } from '@libs/auth';
import { isApiError } from '@libs/envelope';
import { fieldsOf, parse } from '@libs/fields';
import type { Request, Response } from 'express';
import { DeviceAuthorizations } from '../actions/device-authorizations';
import { Identities, standardClaims } from '../actions/identities';
import { TokenGrants } from '../actions/token-grants';
import { V2Tokens } from '../actions/v2-tokens';
import { OAuthProblem } from '../domain/oauth-problem';
import { RawProblems } from './raw-problems';
import { RequestSource } from './request-source';
import { NOT_CACHED } from './tokens.controller';
import { DeviceRequest, RevokeRequest, TokenRequest, V2Request } from './token.request';

const FORM = 'application/x-www-form-urlencoded';
const RAW = {
  status: 200,
  content: { 'application/json': { schema: { type: 'object' as const } } },
};

/** What the discovery document points at: the same endpoints without the envelope, as OAuth libraries want them. */
@UseFilters(RawProblems)
@Controller('v3/oauth2')
export class OidcController {
  constructor(
    private readonly grants: TokenGrants,
    private readonly devices: DeviceAuthorizations,
    private readonly identities: Identities,
    private readonly v2Tokens: V2Tokens,
    private readonly source: RequestSource,
  ) {}

  @Public()
  @Repeatable()
  @Post('tokens/oidc')
  @HttpCode(200)
  @ApiConsumes(FORM)
  @ApiBody({ type: TokenRequest })
  @ApiResponse(RAW)
  async token(@Body() body: unknown, @Req() request: Request, @Res() response: Response) {
    const input = known(TokenRequest, body);
    const made = await this.grants.grantWithIdentity(input, await this.source.origin(request));
    const { access_token: access, refresh_token: refresh, id_token } = made;
    response.set(NOT_CACHED).json({
      access_token: access.access_token,
      token_type: 'Bearer',
      expires_in: access.expires_in,
      ...(refresh ? { refresh_token: refresh.refresh_token } : {}),
      ...(id_token ? { id_token } : {}),
    });
  }

  /** A token that is not good is as gone as one that was revoked (RFC 7009, 2.2). */
  @Public()
  @Repeatable()
  @Post('tokens/revoke/oidc')
  @HttpCode(200)
  @ApiConsumes(FORM)
  @ApiBody({ type: RevokeRequest })
  @ApiResponse(RAW)
  async revoke(@Body() body: unknown, @Req() request: Request, @Res() response: Response) {
    const { token } = known(RevokeRequest, body);
    const origin = await this.source.origin(request);
    await this.grants.revoke(token, origin).catch((error: unknown) => {
      if (!isApiError(error, 400)) throw error;
    });
    response.set(NOT_CACHED).json({});
  }

  @Public()
  @Repeatable()
  @Post('device/code/oidc')
  @HttpCode(200)
  @ApiConsumes(FORM)
  @ApiBody({ type: DeviceRequest })
  @ApiResponse(RAW)
  async device(@Body() body: unknown, @Req() request: Request, @Res() response: Response) {
    const made = await this.devices.start(
      known(DeviceRequest, body),
      await this.source.origin(request),
    );
    response.set(NOT_CACHED).json(made);
  }

  /** A token of the platform's older version, where the tenant still has one. */
  @Repeatable()
  @Post('v2/token')
  @HttpCode(200)
  @ApiConsumes(FORM)
  @ApiBody({ type: V2Request })
  @ApiResponse(RAW)
  async v2(@Caller() caller: Caller, @Body() body: unknown, @Res() response: Response) {
    const { access_token } = known(V2Request, body ?? {});
    response.set(NOT_CACHED).json(await this.v2Tokens.make(caller, access_token));
  }

  /** By POST too (OpenID Connect Core, 5.3.1); the token stands in a header. */
  @Repeatable()
  @Post('userinfo/oidc')
  @HttpCode(200)
  @ApiResponse(RAW)
  userinfoByPost(@Caller() caller: Caller, @Res() response: Response) {
    return this.userinfo(caller, response);
  }

  @Get('userinfo/oidc')
  @ApiResponse(RAW)
  async userinfo(@Caller() { tenant, user }: Caller, @Res() response: Response) {
    const profile = await this.identities.profile(tenant, user);
    response.set(NOT_CACHED).json({ sub: `${user}@${tenant}`, ...standardClaims(profile) });
  }
}

/** The parameters that are ours; others are ignored, as RFC 6749 (3.2) wants it. */
function known<T extends object>(of: new () => T, body: unknown): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthProblem('invalid_request', `The body must be ${FORM}.`);
  const given: Record<string, unknown> = { ...body };
  given['client_key'] ??= given['client_secret'];
  const names = fieldsOf(of).map(({ name }) => name);
  return parse(of, Object.fromEntries(names.map((name) => [name, given[name]])));
}
