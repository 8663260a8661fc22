import { Body, Controller, Get, Put } from '@nestjs/common';
import { Caller } from '@libs/auth';
import { Forbidden, reply } from '@libs/envelope';
import { SecurityClient } from '@libs/security-client';
import { Gives } from '@libs/service-kit';
import { TenantConfigs } from '../actions/tenant-configs';
import { ConfigAnswer, ConfigRequest } from './config.request';

/** What a tenant decides about logging in (platform contract, 6.6): for its administrators. */
@Controller('v3/oauth2/admin/config')
export class AdminConfigController {
  constructor(
    private readonly configs: TenantConfigs,
    private readonly security: SecurityClient,
  ) {}

  @Get()
  @Gives(ConfigAnswer)
  async get(@Caller() caller: Caller) {
    await this.assertMay(caller);
    const config = await this.configs.shown(caller.tenant);
    return reply('AUTHENTICATOR_CONFIG_FOUND', `config of tenant ${caller.tenant}`, config);
  }

  @Put()
  @Gives(ConfigAnswer)
  async change(@Caller() caller: Caller, @Body() body: ConfigRequest) {
    await this.assertMay(caller);
    const { tenant, jwtUser, jwtTenant } = caller;
    const config = await this.configs.change(tenant, { ...body }, `${jwtUser}@${jwtTenant}`);
    return reply('AUTHENTICATOR_CONFIG_UPDATED', `config of tenant ${tenant}`, config);
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
      `The config of tenant ${tenant} is for its administrators, not for ${service ?? user}.`,
    );
  }
}
