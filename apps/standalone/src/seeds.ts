/** The tenants a fresh installation has: one for the site's own administration, one to work in. */
export const ADMIN_TENANT = 'admin';
export const DEV_TENANT = 'dev';

export const adminUrl = (port: number): string => `http://admin.localhost:${port}`;
export const devUrl = (port: number): string => `http://localhost:${port}`;

const TEST_USERS = Array.from({ length: 10 }, (_, i) => `testuser${i + 1}`);

/** Test accounts by tenant, password equal to the name; the authenticator refuses them in production. */
export function seedAccounts(): Record<string, Record<string, string>> {
  const same = (names: string[]) => Object.fromEntries(names.map((name) => [name, name]));
  return {
    [DEV_TENANT]: same([...TEST_USERS, 'admin', 'testadmin']),
    [ADMIN_TENANT]: same(['admin']),
  };
}

export function seedSite(port: number): object {
  return {
    site_id: 'primary',
    primary: true,
    base_url: adminUrl(port),
    tenant_base_url_template: `http://\${tenant_id}.localhost:${port}`,
    site_admin_tenant_id: ADMIN_TENANT,
    services: SERVICES_OF_SITE,
  };
}

const SERVICES_OF_SITE = [
  'systems',
  'apps',
  'files',
  'jobs',
  'security',
  'tokens',
  'tenants',
  'authenticator',
];

export function seedTenants(port: number, adminPublicKey: string): object[] {
  const tenant = (tenant_id: string, base_url: string, rest: object) => ({
    tenant_id,
    base_url,
    site_id: 'primary',
    status: 'ACTIVE',
    owner: 'admin@localhost',
    admin_user: 'admin',
    token_service: `${base_url}/v3/tokens`,
    security_kernel: `${base_url}/v3/security`,
    authenticator: `${base_url}/v3/oauth2`,
    ...rest,
  });
  return [
    tenant(ADMIN_TENANT, adminUrl(port), {
      description: 'Administration of the site',
      public_key: adminPublicKey,
      token_gen_services: ['authenticator'],
    }),
    tenant(DEV_TENANT, devUrl(port), {
      description: 'A tenant to try things in',
      token_gen_services: ['authenticator'],
    }),
  ];
}
