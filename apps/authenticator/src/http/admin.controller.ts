import { Body, Controller, Get, Put, Query, Req } from '@nestjs/common';
import { Caller } from '@libs/auth';
import { Forbidden, reply } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { Gives } from '@libs/service-kit';
import type { Request } from 'express';
import { AuthEvents } from '../actions/auth-events';
import { TenantConfigs } from '../actions/tenant-configs';
import { ConfigAnswer, ConfigRequest } from './config.request';
import { EventAnswer, EventsQuery } from './events.request';
import { RequestSource } from './request-source';

/** What a tenant decides about logging in (platform contract, 6.6), and how it went: for its administrators. */
@Controller('v3/oauth2/admin')
export class AdminController {
  constructor(
    private readonly configs: TenantConfigs,
    private readonly events: AuthEvents,
    private readonly security: SecurityClient,
    private readonly source: RequestSource,
  ) {}

  @Get('config')
  @Gives(ConfigAnswer)
  async get(@Caller() caller: Caller) {
    await this.assertMay(caller);
    const config = await this.configs.shown(caller.tenant);
    return reply('AUTHENTICATOR_CONFIG_FOUND', `config of tenant ${caller.tenant}`, config);
  }

  @Put('config')
  @Gives(ConfigAnswer)
  async change(@Caller() caller: Caller, @Body() body: ConfigRequest, @Req() request: Request) {
    await this.assertMay(caller);
    const { tenant } = caller;
    const by = { caller, address: this.source.address(request) };
    const config = await this.configs.change(tenant, { ...body }, by);
    return reply('AUTHENTICATOR_CONFIG_UPDATED', `config of tenant ${tenant}`, config);
  }

  /** The newest first; `before` is the id of the last one of the page before. */
  @Get('events')
  @Gives([EventAnswer])
  async history(@Caller() caller: Caller, @Query() query: EventsQuery) {
    await this.assertMay(caller);
    const found = await this.events.list(caller.tenant, query);
    return reply('AUTHENTICATOR_EVENTS_FOUND', `${found.length} events`, found);
  }

  private async assertMay(caller: Caller): Promise<void> {
    const { tenant, user, accountType, service } = caller;
    const may =
      accountType === 'service'
        ? service === 'authenticator'
        : await this.security.isAdmin({ tenant, user });
    if (may) return;
    throw new Forbidden(
      'AUTHENTICATOR_CONFIG_FORBIDDEN',
      `The config and the events of tenant ${tenant} are for its administrators, not for ${service ?? user}.`,
    );
  }
}
