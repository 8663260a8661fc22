import { readFileSync } from 'node:fs';
import { environment, loadSettings } from '@libs/config';
import { setPlatformName } from '@libs/platform-name';
import { LauncherSettings } from '../launcher-settings';
import { Problem } from '../problem';
import type { PublicApi } from '../sample/public-api';
import { serviceOf, type SiteAddress } from './administrators';
import {
  administrator,
  argumentsOf,
  dataOf,
  ownerOf,
  runCommand,
  say,
  secretsOf,
  type Values,
} from './arguments';
import { addFirstAccount, addTenant, keepBindPassword, type LdapOrder } from './bring-up';

const USAGE = `npm run tenant -- add <id> --owner <e-mail> [options]
  --owner-name, --institution   of an owner who is not registered yet
  --admin-user <name>           first administrator of the tenant, default admin; with TENANT_ADMIN_PASSWORD in the
                                environment the platform itself has an account of that name
  --description <text>
  --ldap <file>                 an LDAP record (JSON) to make and to find users in; LDAP_PASSWORD in the environment
                                is kept in the security kernel under the name that its bind_credential says
  --site <id>                   the site that owns it, default primary
  --base-url <url>              its address, default made of the site's
  --data <folder>               of the site, if on this machine: .data, or .data/sites/<site> of an associate
  --url <url>                   the primary site's administrative tenant, default http://admin.localhost:3000
  --user <name>                 a site administrator, default admin; ADMIN_PASSWORD or ADMIN_TOKEN in the environment
On another machine TOKENS_PASSWORD and AUTHENTICATOR_PASSWORD in the environment are the passwords of these services: the
first gives keys to tenants of an associate, the second keeps LDAP_PASSWORD and makes the account.`;

interface Site {
  site_id: string;
  primary: boolean;
  base_url: string;
  services: string[];
  tenant_base_url_template: string | null;
  site_admin_tenant_id: string;
}

/** One command from nothing to an active tenant. */
async function main(): Promise<void> {
  setPlatformName(loadSettings(LauncherSettings, environment()).platformName);
  const names = ['site', 'base-url', 'admin-user', 'description', 'ldap'];
  const { id, values } = argumentsOf(USAGE, names);
  const registry = await administrator(values);
  const siteId = values['site'] ?? 'primary';
  const site = await registry.find<Site>(`/v3/sites/${siteId}`);
  if (!site) throw new Problem(`There is no site "${siteId}".`);
  const address = addressOf(site);
  const tenant = {
    id,
    siteId,
    siteTenant: address.adminTenant,
    baseUrl: values['base-url'] ?? addressIn(site, id),
    owner: ownerOf(values),
    adminUser: values['admin-user'] ?? 'admin',
    description: values['description'] ?? '',
    ldap: values['ldap'] ? readLdap(values['ldap']) : undefined,
  };
  const { LDAP_PASSWORD, TENANT_ADMIN_PASSWORD: password } = environment();
  const people = await authenticatorSite(registry, site);
  const authenticator = () => service(people, 'authenticator', values);
  if (tenant.ldap && LDAP_PASSWORD)
    await keepBindPassword(
      await authenticator(),
      people.adminTenant,
      tenant.ldap,
      LDAP_PASSWORD,
      say,
    );
  const keys = site.primary ? registry : await service(address, 'tokens', values);
  await addTenant(registry, keys, tenant, say);
  if (password) await addFirstAccount(await authenticator(), tenant, password, say);
}

const addressOf = ({ site_id: id, site_admin_tenant_id, base_url }: Site): SiteAddress => ({
  id,
  adminTenant: site_admin_tenant_id,
  adminUrl: base_url,
});

/** The site that lets the people of the tenant in: its own, or the primary where that runs no authenticator. */
async function authenticatorSite(registry: PublicApi, site: Site): Promise<SiteAddress> {
  if (site.services.includes('authenticator')) return addressOf(site);
  const sites = await registry.get<Site[]>('/v3/sites');
  return addressOf(sites.find(({ primary }) => primary) ?? site);
}

/** By the primary's template; at an associate beside its administrative tenant. */
function addressIn(site: Site, tenant: string): string {
  if (site.tenant_base_url_template)
    return site.tenant_base_url_template.replace('${tenant_id}', tenant);
  return site.base_url.replace(/\/\/[^.:/]+/, `//${tenant}`);
}

/** With the password in its site's data folder, else with the one in the environment. */
function service(site: SiteAddress, name: string, values: Values): Promise<PublicApi> {
  const variable = `${name.toUpperCase()}_PASSWORD`;
  const folder = dataOf(values, site.id);
  const password = environment()[variable] ?? secretsOf(folder)?.servicePasswords[name];
  if (!password)
    throw new Problem(`${folder} has no secrets of site ${site.id}: give --data or ${variable}.`);
  return serviceOf(site, name, password);
}

function readLdap(file: string): LdapOrder {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LdapOrder;
  } catch (error) {
    throw new Problem(`${file} is not a JSON file: ${(error as Error).message}`);
  }
}

void runCommand(main);
