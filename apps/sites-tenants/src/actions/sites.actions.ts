import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, Conflict, NotFound, Violations } from '@libs/envelope';
import { parse } from '@libs/fields';
import { brokenSiteRules, Site, SitePatch, tidySite } from '../domain/site';
import { SitesStore } from '../store/sites.store';
import { TenantsStore } from '../store/tenants.store';
import { siteRecord } from './records';
import { authorOf, RegistryRights } from './registry-rights';

const INVALID = 'TENANTS_SITE_INVALID';

/** The sites of the installation: everybody reads them, the primary's administrators write them. */
@Injectable()
export class SitesActions {
  constructor(
    private readonly rights: RegistryRights,
    private readonly sites: SitesStore,
    private readonly tenants: TenantsStore,
  ) {}

  async list() {
    return (await this.sites.all()).map(siteRecord);
  }

  async get(id: string) {
    return siteRecord(await this.found(id));
  }

  async create(caller: Caller, body: unknown) {
    await this.rights.assertMayCreate(caller);
    const broken = new Violations();
    const site = broken.take(() => parse(Site, body, { code: INVALID, what: 'the site' }));
    const given = (body ?? {}) as Partial<Site>;
    broken.add(...brokenSiteRules(given));
    if (given.primary === true && (await this.sites.primary()))
      broken.add('primary: the installation has a primary site already');
    broken.throwIfAny(INVALID, 'the site is not valid');
    const admin = await this.tenants.find(site!.site_admin_tenant_id);
    if (admin)
      throw new Conflict(
        'TENANTS_SITE_DUPLICATE',
        `site_admin_tenant_id ${site!.site_admin_tenant_id} is a tenant of site ${admin.record.site_id}.`,
      );
    await this.sites.add(tidySite(site!), authorOf(caller));
    return this.get(site!.site_id);
  }

  async update(caller: Caller, id: string, patch: SitePatch) {
    await this.rights.assertMayCreate(caller);
    const { record } = await this.found(id);
    const changed = tidySite(patch);
    const broken = brokenSiteRules({ ...record, ...changed });
    if (broken.length) throw new BadInput(INVALID, `site "${id}" would not be valid`, broken);
    return siteRecord((await this.sites.update(id, changed, authorOf(caller)))!);
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.rights.assertMayCreate(caller);
    const { record } = await this.found(id);
    if (record.primary)
      throw new BadInput('TENANTS_SITE_PRIMARY', `Site ${id} is the primary one and stays.`);
    if (!(await this.sites.remove(id)))
      throw new Conflict(
        'TENANTS_SITE_IN_USE',
        `Site ${id} can't be deleted: tenants belong to it.`,
      );
  }

  private async found(id: string) {
    const row = await this.sites.find(id);
    if (!row) throw new NotFound('TENANTS_SITE_NOT_FOUND', `There is no site "${id}".`, id);
    return row;
  }
}
