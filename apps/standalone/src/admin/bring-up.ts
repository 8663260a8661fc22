import { setTimeout as delay } from 'node:timers/promises';
import { platform } from '@libs/platform-name';
import { Problem } from '../problem';
import type { PublicApi } from '../sample/public-api';

export interface OwnerRecord {
  name: string;
  email: string;
  institution: string;
}

export interface SiteOrder {
  id: string;
  baseUrl: string;
  adminTenant: string;
  services: string[];
  /** Public half of the key with which the site signs its services' tokens, PEM. */
  publicKey: string;
  owner: OwnerRecord;
}

/** What of an LDAP record is looked at here; the registry checks the rest. */
export interface LdapOrder {
  ldap_id: string;
  bind_credential: string;
}

export interface TenantOrder {
  id: string;
  siteId: string;
  /** Administrative tenant of that site. */
  siteTenant: string;
  baseUrl: string;
  owner: OwnerRecord;
  adminUser: string;
  description: string;
  /** An LDAP record to make and use, as the registry takes it. */
  ldap?: LdapOrder;
}

type Say = (line: string) => void;
interface SiteRecord {
  base_url: string;
  services: string[];
}
interface TenantRecord {
  status: string;
  public_key: string | null;
  user_ldap_connection_id: string | null;
}

/**
 * An associate site with its administrative tenant, in the registry of the primary. What is there already stays, so
 * that this can be repeated; a change of address or services is taken over.
 */
export async function addSite(registry: PublicApi, site: SiteOrder, say: Say): Promise<void> {
  await addOwner(registry, site.owner, say);
  const { id, baseUrl: base_url, services } = site;
  const known = await registry.find<SiteRecord>(`/v3/sites/${id}`);
  if (!known) {
    const site_admin_tenant_id = site.adminTenant;
    const record = { site_id: id, primary: false, base_url, site_admin_tenant_id, services };
    await registry.post('/v3/sites', record);
    say(`site      ${id} at ${base_url}: ${services.join(', ')}`);
  } else if (known.base_url !== base_url || !sameNames(known.services, services)) {
    await registry.put(`/v3/sites/${id}`, { base_url, services });
    say(`site      ${id} changed: ${base_url}, ${services.join(', ')}`);
  }
  if (await registry.find(`/v3/tenants/${site.adminTenant}`)) return;
  await registry.post('/v3/tenants', {
    ...addresses(site.adminTenant, site.baseUrl),
    site_id: id,
    status: 'active',
    public_key: site.publicKey,
    owner: site.owner.email,
    admin_user: 'admin',
    token_gen_services: ['authenticator'],
    description: `Administration of site ${id}`,
  });
  say(`tenant    ${site.adminTenant} administers it`);
}

/**
 * A tenant from nothing to ACTIVE: owner, directory, draft, key, status. `registry` is a site administrator at the
 * primary; `keys` who may give the tenant a key at the tokens service of its site. What is there already stays, so a
 * call that was cut off is simply repeated.
 */
export async function addTenant(
  registry: PublicApi,
  keys: PublicApi,
  tenant: TenantOrder,
  say: Say,
): Promise<void> {
  await addOwner(registry, tenant.owner, say);
  const { ldap } = tenant;
  if (ldap && !(await registry.find(`/v3/tenants/ldaps/${ldap.ldap_id}`))) {
    await registry.post('/v3/tenants/ldaps', ldap);
    say(`ldap      ${ldap.ldap_id}`);
  }
  const path = `/v3/tenants/${tenant.id}`;
  if (!(await registry.find(path))) {
    await registry.post('/v3/tenants', {
      ...addresses(tenant.id, tenant.baseUrl),
      site_id: tenant.siteId,
      status: 'draft',
      owner: tenant.owner.email,
      admin_user: tenant.adminUser,
      token_gen_services: ['authenticator'],
      user_ldap_connection_id: ldap?.ldap_id ?? null,
      description: tenant.description,
    });
    say(`tenant    ${tenant.id} at ${tenant.baseUrl}, a draft of site ${tenant.siteId}`);
  }
  let record = await registry.get<TenantRecord>(path);
  if (ldap && record.user_ldap_connection_id !== ldap.ldap_id)
    await registry.put(path, { user_ldap_connection_id: ldap.ldap_id });
  if (!record.public_key) {
    await keys.put('/v3/tokens/keys', { tenant_id: tenant.id });
    say(`key       made by the tokens service of site ${tenant.siteId}`);
    record = await registry.get<TenantRecord>(path);
  }
  if (record.status === 'DRAFT') await registry.put(path, { status: 'active' });
  await met(keys, tenant);
  say(`active    ${tenant.id} is open at ${tenant.baseUrl}`);
}

/** The password of a directory's bind account, where the authenticator of the site finds it. */
export async function keepBindPassword(
  authenticator: PublicApi,
  tenant: string,
  { bind_credential }: LdapOrder,
  password: string,
  say: Say,
): Promise<void> {
  const path = `/v3/security/vault/secret/user/${encodeURIComponent(bind_credential)}`;
  await authenticator.post(path, { tenant, user: 'authenticator', data: { password } });
  say(`secret    ${bind_credential}`);
}

/** Nobody could log in to make the first account of a tenant; one that is there keeps its password. */
export async function addFirstAccount(
  authenticator: PublicApi,
  { id, adminUser: username }: TenantOrder,
  password: string,
  say: Say,
): Promise<void> {
  const named = { [platform().header('Tenant')]: id, [platform().header('User')]: username };
  if (await authenticator.find(`/v3/oauth2/accounts/${encodeURIComponent(username)}`, named))
    return;
  await authenticator.post('/v3/oauth2/accounts', { username, password }, named);
  say(`account   ${username} of tenant ${id}`);
}

const MET_MS = 60_000;
const LOOK_EVERY_MS = 250;

/**
 * Resolves when the services of the site know the tenant: its security kernel has given the role that makes tokens for
 * it. A request in its name makes the services of an associate look; those of the primary are told.
 */
async function met(keys: PublicApi, { id, siteTenant }: TenantOrder): Promise<void> {
  const role = `/v3/security/user/withRole/${id}_token_generator?tenant=${siteTenant}`;
  const named = { [platform().header('Tenant')]: id };
  for (const end = Date.now() + MET_MS; Date.now() < end; await delay(LOOK_EVERY_MS)) {
    const found = await keys.find<{ names: string[] }>(role);
    if (found?.names.length) return;
    await keys.get(`/v3/security/role?tenant=${id}`, named).catch(() => undefined);
  }
  throw new Problem(`Tenant ${id} is active, but its site does not know it after a minute.`);
}

async function addOwner(registry: PublicApi, owner: OwnerRecord, say: Say): Promise<void> {
  if (await registry.find(`/v3/tenants/owners/${encodeURIComponent(owner.email)}`)) return;
  await registry.post('/v3/tenants/owners', owner);
  say(`owner     ${owner.name} <${owner.email}>`);
}

const addresses = (tenant_id: string, base_url: string) => ({
  tenant_id,
  base_url,
  token_service: `${base_url}/v3/tokens`,
  security_kernel: `${base_url}/v3/security`,
  authenticator: `${base_url}/v3/oauth2`,
});

const sameNames = (a: readonly string[], b: readonly string[]) =>
  a.toSorted().join() === b.toSorted().join();
