import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { Caller, Public } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Text } from '@libs/fields';
import { Registry } from '../actions/registry';
import { TenantKeys, type TenantStatus } from '../domain/tenant';

/** Any text that is not empty means yes. */
export class TenantsQuery {
  @Text({ optional: true }) show_draft?: string;
  @Text({ optional: true }) show_inactive?: string;
}

@Controller('v3/tenants')
export class TenantsController {
  constructor(private readonly registry: Registry) {}

  @Public()
  @Get()
  async list(@Query() { show_draft, show_inactive }: TenantsQuery) {
    const statuses: TenantStatus[] = ['ACTIVE'];
    if (show_draft) statuses.push('DRAFT');
    if (show_inactive) statuses.push('INACTIVE');
    const tenants = await this.registry.tenants(statuses);
    return reply('TENANTS_FOUND', `${tenants.length} tenants`, tenants);
  }

  @Public()
  @Get(':tenantId')
  async get(@Param('tenantId') id: string) {
    return reply('TENANTS_TENANT_FOUND', `tenant ${id}`, await this.registry.tenant(id));
  }

  @Put(':tenantId')
  async setKeys(@Caller() caller: Caller, @Param('tenantId') id: string, @Body() body: TenantKeys) {
    const tenant = await this.registry.setKeys(caller, id, body);
    return reply('TENANTS_TENANT_UPDATED', `tenant ${id}`, tenant);
  }
}
