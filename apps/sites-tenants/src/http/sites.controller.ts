import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Caller, Public } from '@libs/auth';
import { reply } from '@libs/envelope';
import { etagOf, jsonBody } from '@libs/service-kit';
import { SitesActions } from '../actions/sites.actions';
import { Site, SitePatch } from '../domain/site';

@Controller('v3/sites')
export class SitesController {
  constructor(private readonly sites: SitesActions) {}

  @Public()
  @Get()
  async list() {
    const sites = await this.sites.list();
    return reply('TENANTS_SITES_FOUND', `${sites.length} sites`, sites);
  }

  @Public()
  @Get(':siteId')
  async get(@Param('siteId') id: string) {
    const site = await this.sites.get(id);
    return reply('TENANTS_SITE_FOUND', `site ${id}`, site, { etag: etagOf(site) });
  }

  @Post()
  @HttpCode(201)
  @ApiBody({ type: Site })
  async create(@Caller() caller: Caller, @Body() body: unknown) {
    const site = await this.sites.create(caller, jsonBody(body));
    return reply('TENANTS_SITE_CREATED', `site ${site.site_id}`, site, { status: 201 });
  }

  @Put(':siteId')
  async update(@Caller() caller: Caller, @Param('siteId') id: string, @Body() body: SitePatch) {
    const site = await this.sites.update(caller, id, body);
    return reply('TENANTS_SITE_UPDATED', `site ${id}`, site, { etag: etagOf(site) });
  }

  @Delete(':siteId')
  async remove(@Caller() caller: Caller, @Param('siteId') id: string) {
    await this.sites.remove(caller, id);
    return reply('TENANTS_SITE_DELETED', `site ${id}`, null);
  }
}
