import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { Caller, Public } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Text } from '@libs/fields';
import { etagOf, IfMatch, requireMatch } from '@libs/service-kit';
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
    const tenant = await this.registry.tenant(id);
    return reply('TENANTS_TENANT_FOUND', `tenant ${id}`, tenant, { etag: etagOf(tenant) });
  }

  @Put(':tenantId')
  async setKeys(
    @Caller() caller: Caller,
    @Param('tenantId') id: string,
    @Body() body: TenantKeys,
    @IfMatch() ifMatch?: string,
  ) {
    if (ifMatch) requireMatch(ifMatch, etagOf(await this.registry.tenant(id)), `tenant ${id}`);
    const tenant = await this.registry.setKeys(caller, id, body);
    return reply('TENANTS_TENANT_UPDATED', `tenant ${id}`, tenant, { etag: etagOf(tenant) });
  }
}
