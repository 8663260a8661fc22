import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { Public } from '@libs/auth';
import type { Request, Response } from 'express';
import { Discovery } from '../actions/discovery';
import { RawProblems } from './raw-problems';
import { RequestSource } from './request-source';

const RAW = {
  status: 200,
  content: { 'application/json': { schema: { type: 'object' as const } } },
};
/** A minute: new keys are on the tenant's record well before the first token that they sign is looked at. */
const CACHED = { 'Cache-Control': 'public, max-age=60' };

/** What a client must know of a tenant to log people in: raw, for libraries. */
@Public()
@UseFilters(RawProblems)
@Controller('v3/oauth2')
export class DiscoveryController {
  constructor(
    private readonly discovery: Discovery,
    private readonly source: RequestSource,
  ) {}

  /** RFC 8414 */
  @Get('.well-known/oauth-authorization-server')
  @ApiResponse(RAW)
  async server(@Req() request: Request, @Res() response: Response) {
    const tenant = await this.source.tenant(request);
    response.set(CACHED).json(await this.discovery.server(tenant));
  }

  /** OpenID Connect Discovery */
  @Get('.well-known/openid-configuration')
  @ApiResponse(RAW)
  async openid(@Req() request: Request, @Res() response: Response) {
    const tenant = await this.source.tenant(request);
    response.set(CACHED).json(await this.discovery.openid(tenant));
  }

  @Get('jwks')
  @ApiResponse(RAW)
  async jwks(@Req() request: Request, @Res() response: Response) {
    const tenant = await this.source.tenant(request);
    response.set(CACHED).json({ keys: await this.discovery.keys(tenant) });
  }
}
