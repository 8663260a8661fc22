import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Caller, Public } from '@libs/auth';
import { reply } from '@libs/envelope';
import { etagOf, IfMatch, jsonBody } from '@libs/service-kit';
import { TenantsActions } from '../actions/tenants.actions';
import { NewTenant, TenantPatch } from '../domain/tenant';
import { selector, statusesOf, TenantsQuery } from './tenants-query';

@Controller('v3/tenants')
export class TenantsController {
  constructor(private readonly tenants: TenantsActions) {}

  @Public()
  @Get()
  async list(@Query() query: TenantsQuery) {
    const select = selector(query);
    const tenants = await this.tenants.list(statusesOf(query));
    return reply('TENANTS_FOUND', `${tenants.length} tenants`, tenants.map(select));
  }

  @Public()
  @Get(':tenantId')
  async get(@Param('tenantId') id: string) {
    const tenant = await this.tenants.get(id);
    return reply('TENANTS_TENANT_FOUND', `tenant ${id}`, tenant, { etag: etagOf(tenant) });
  }

  @Post()
  @HttpCode(201)
  @ApiBody({ type: NewTenant })
  async create(@Caller() caller: Caller, @Body() body: unknown) {
    const tenant = await this.tenants.create(caller, jsonBody(body));
    return reply('TENANTS_TENANT_CREATED', `tenant ${tenant.tenant_id}`, tenant, { status: 201 });
  }

  @Put(':tenantId')
  @ApiBody({ type: TenantPatch })
  async update(
    @Caller() caller: Caller,
    @Param('tenantId') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch?: string,
  ) {
    const tenant = await this.tenants.update(caller, id, jsonBody(body), ifMatch);
    return reply('TENANTS_TENANT_UPDATED', `tenant ${id}`, tenant, { etag: etagOf(tenant) });
  }

  @Delete(':tenantId')
  async remove(@Caller() caller: Caller, @Param('tenantId') id: string) {
    return this.tenants.remove(caller, id);
  }

  @Get(':tenantId/history')
  async history(@Param('tenantId') id: string) {
    const history = await this.tenants.history(id);
    return reply('TENANTS_HISTORY_FOUND', `${history.length} changes of tenant ${id}`, history);
  }
}
