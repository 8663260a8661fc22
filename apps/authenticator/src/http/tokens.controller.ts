import { Body, Controller, Post, Req } from '@nestjs/common';
import { Public, Repeatable, Tenants } from '@libs/auth';
import { BadInput, reply } from '@libs/envelope';
import type { Request } from 'express';
import { PasswordGrant } from '../actions/password-grant';
import { TokenRequest } from './token.request';

@Controller('v3/oauth2/tokens')
export class TokensController {
  constructor(
    private readonly passwordGrant: PasswordGrant,
    private readonly tenants: Tenants,
  ) {}

  /** Takes JSON and form bodies; the tenant is the one of the request's host. */
  @Public()
  @Repeatable()
  @Post()
  async create(@Body() body: TokenRequest, @Req() request: Request) {
    const { host } = request.headers;
    let tenant = this.tenants.byHost(host);
    // it may have become active a moment ago
    if (!tenant && (await this.tenants.look())) tenant = this.tenants.byHost(host);
    if (!tenant) {
      throw new BadInput('AUTHENTICATOR_NO_TENANT', `Host "${host ?? ''}" belongs to no tenant.`);
    }
    if (body.grant_type !== 'password') {
      throw new BadInput(
        'AUTHENTICATOR_GRANT_TYPE',
        `Invalid grant_type "${body.grant_type}": this tenant allows password.`,
      );
    }
    const { username, password } = body;
    if (!username || !password) {
      throw new BadInput(
        'AUTHENTICATOR_MISSING_PARAMETER',
        'The password grant needs username and password.',
      );
    }
    const made = await this.passwordGrant.grant(tenant.tenant_id, username, password);
    // nobody on the way may keep a token (RFC 6749, 5.1)
    const headers = { 'Cache-Control': 'no-store' };
    return reply('AUTHENTICATOR_TOKEN_CREATED', 'Token created successfully.', made, { headers });
  }
}
