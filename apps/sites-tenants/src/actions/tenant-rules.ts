import { Injectable } from '@nestjs/common';
import { addressOf } from '../domain/names';
import { tenantBehind } from '../domain/site';
import { brokenTenantRules, type Tenant } from '../domain/tenant';
import { ContactsStore } from '../store/contacts.store';
import { SitesStore } from '../store/sites.store';

/** The rules for a tenant that need the rest of the registry; looks at whatever of the body is there. */
@Injectable()
export class TenantRules {
  constructor(
    private readonly sites: SitesStore,
    private readonly contacts: ContactsStore,
  ) {}

  async broken(tenant: Partial<Tenant>): Promise<string[]> {
    const { owner, site_id, service_ldap_connection_id, user_ldap_connection_id } = tenant;
    const ldaps = { service_ldap_connection_id, user_ldap_connection_id };
    const found = await Promise.all([
      this.place(tenant),
      this.unknown('owner', owner, async (id) => this.contacts.find('owner', id)),
      this.unknown('site_id', site_id, async (id) => this.sites.find(id)),
      ...Object.entries(ldaps).map(([name, id]) =>
        this.unknown(name, id, async (known) => this.contacts.find('ldap', known)),
      ),
    ]);
    return [...brokenTenantRules(tenant), ...found.filter((text) => text !== undefined)];
  }

  private async unknown(
    name: string,
    id: unknown,
    find: (id: string) => Promise<unknown>,
  ): Promise<string | undefined> {
    if (typeof id !== 'string' || (await find(id))) return undefined;
    return `${name}: "${id}" is not registered`;
  }

  /** An administrative tenant belongs to its site, and no tenant takes the address that leads to another. */
  private async place({ tenant_id, site_id, base_url }: Partial<Tenant>) {
    if (typeof tenant_id !== 'string') return undefined;
    const sites = (await this.sites.all()).map(({ record }) => record);
    const administered = sites.find((site) => site.site_admin_tenant_id === tenant_id);
    if (administered && administered.site_id !== site_id)
      return `site_id: ${tenant_id} is the administrative tenant of site ${administered.site_id}`;
    const address = addressOf(base_url);
    const template = sites.find((site) => site.primary)?.tenant_base_url_template ?? null;
    const other = address && tenantBehind(template, address);
    if (other && other !== tenant_id.toLowerCase())
      return `base_url: ${address} is the address of tenant ${other}`;
    return undefined;
  }
}
