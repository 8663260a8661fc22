import { identitiesOf, urlOf, type SitePlan } from './site-plan';

const TEST_USERS = Array.from({ length: 10 }, (_, i) => `testuser${i + 1}`);

/** Test accounts by tenant, password equal to the name; the authenticator refuses them in production. */
export function seedAccounts(site: SitePlan): Record<string, Record<string, string>> {
  const same = (names: string[]) => Object.fromEntries(names.map((name) => [name, name]));
  const accounts = { [site.devTenant]: same([...TEST_USERS, 'admin', 'testadmin']) };
  return site.primary ? { ...accounts, [site.adminTenant]: same(['admin']) } : accounts;
}

/** The primary site of a fresh installation. */
export function seedSite(site: SitePlan, port: number): object {
  return {
    site_id: site.id,
    primary: true,
    base_url: site.adminUrl,
    tenant_base_url_template: urlOf('${tenant_id}', port),
    site_admin_tenant_id: site.adminTenant,
    services: identitiesOf(site.services),
  };
}

/** The tenants a fresh installation has: one for the site's own administration, one to work in. */
export function seedTenants(site: SitePlan, adminPublicKey: string): object[] {
  const tenant = (tenant_id: string, base_url: string, rest: object) => ({
    tenant_id,
    base_url,
    site_id: site.id,
    status: 'ACTIVE',
    owner: 'admin@localhost',
    admin_user: 'admin',
    token_service: `${base_url}/v3/tokens`,
    security_kernel: `${base_url}/v3/security`,
    authenticator: `${base_url}/v3/oauth2`,
    token_gen_services: ['authenticator'],
    ...rest,
  });
  return [
    tenant(site.adminTenant, site.adminUrl, {
      description: 'Administration of the site',
      public_key: adminPublicKey,
    }),
    tenant(site.devTenant, site.devUrl, { description: 'A tenant to try things in' }),
  ];
}
