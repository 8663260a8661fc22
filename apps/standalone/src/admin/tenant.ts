import { readFileSync } from 'node:fs';
import { environment, loadSettings } from '@libs/config';
import { setPlatformName } from '@libs/platform-name';
import { LauncherSettings } from '../launcher-settings';
import { Problem } from '../problem';
import type { PublicApi } from '../sample/public-api';
import { tokensServiceOf } from './administrators';
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
import { addTenant } from './bring-up';

const USAGE = `npm run tenant -- add <id> --owner <e-mail> [options]
  --owner-name, --institution   of an owner who is not registered yet
  --admin-user <name>           first administrator of the tenant, default admin
  --description <text>
  --ldap <file>                 an LDAP record (JSON) to make and to find users in
  --site <id>                   the site that owns it, default primary
  --base-url <url>              its address, default made of the site's
  --data <folder>               of an associate site on this machine, default .data/sites/<site>
  --url <url>                   the primary site's administrative tenant, default http://admin.localhost:3000
  --user <name>                 a site administrator, default admin; ADMIN_PASSWORD or ADMIN_TOKEN in the environment
TOKENS_PASSWORD in the environment is the password of an associate's tokens service, if it is on another machine.`;

interface Site {
  site_id: string;
  primary: boolean;
  base_url: string;
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
  const tenant = {
    id,
    siteId,
    siteTenant: site.site_admin_tenant_id,
    baseUrl: values['base-url'] ?? addressIn(site, id),
    owner: ownerOf(values),
    adminUser: values['admin-user'] ?? 'admin',
    description: values['description'] ?? '',
    ldap: values['ldap'] ? readLdap(values['ldap']) : undefined,
  };
  const keys = site.primary ? registry : await keysOf(site, values);
  await addTenant(registry, keys, tenant, say);
}

/** By the primary's template; at an associate beside its administrative tenant. */
function addressIn(site: Site, tenant: string): string {
  if (site.tenant_base_url_template)
    return site.tenant_base_url_template.replace('${tenant_id}', tenant);
  return site.base_url.replace(/\/\/[^.:/]+/, `//${tenant}`);
}

function keysOf(site: Site, values: Values): Promise<PublicApi> {
  const folder = dataOf(values, site.site_id);
  const password =
    environment()['TOKENS_PASSWORD'] ?? secretsOf(folder)?.servicePasswords['tokens'];
  if (!password)
    throw new Problem(
      `${folder} has no secrets of site ${site.site_id}: give --data or TOKENS_PASSWORD.`,
    );
  const { site_id, site_admin_tenant_id: adminTenant, base_url: adminUrl } = site;
  return tokensServiceOf({ id: site_id, adminTenant, adminUrl }, password);
}

function readLdap(file: string): { ldap_id: string } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { ldap_id: string };
  } catch (error) {
    throw new Problem(`${file} is not a JSON file: ${(error as Error).message}`);
  }
}

void runCommand(main);
