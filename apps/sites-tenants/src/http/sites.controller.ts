import { Controller, Get, Param } from '@nestjs/common';
import { Public } from '@libs/auth';
import { NotFound, reply } from '@libs/envelope';
import { etagOf } from '@libs/service-kit';
import { Registry } from '../actions/registry';

@Public()
@Controller('v3/sites')
export class SitesController {
  constructor(private readonly registry: Registry) {}

  @Get()
  async list() {
    const sites = await this.registry.sites();
    return reply('TENANTS_SITES_FOUND', `${sites.length} sites`, sites);
  }

  @Get(':siteId')
  async get(@Param('siteId') id: string) {
    const site = await this.registry.site(id);
    if (!site) throw new NotFound('TENANTS_SITE_NOT_FOUND', `There is no site "${id}".`, id);
    return reply('TENANTS_SITE_FOUND', `site ${id}`, site, { etag: etagOf(site) });
  }
}
