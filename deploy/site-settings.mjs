// Writes the settings of a new site to deploy/site/: one file for all services, one more for each with its own secrets.
// `node deploy/site-settings.mjs [base address]`; files that exist are kept, because data is sealed with their keys.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const base = new URL(process.argv[2] ?? 'http://localhost:3000');
const folder = join(import.meta.dirname, 'site');
if (existsSync(join(folder, 'common.env'))) {
  process.stderr.write(`${folder} has settings already; remove it to begin anew.\n`);
  process.exit(1);
}
mkdirSync(folder, { recursive: true, mode: 0o700 });

/** Each service and the name it has in tokens. */
const IDENTITIES = {
  'sites-tenants': 'tenants',
  'security-kernel': 'security',
  tokens: 'tokens',
  authenticator: 'authenticator',
  systems: 'systems',
  apps: 'apps',
  files: 'files',
  'transfers-worker': 'files',
  'jobs-api': 'jobs',
  'jobs-worker': 'jobs',
};
const names = [...new Set(Object.values(IDENTITIES))];
const passwords = Object.fromEntries(
  names.map((name) => [name, randomBytes(24).toString('base64url')]),
);
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const databasePassword = randomBytes(18).toString('base64url');
const brokerPassword = randomBytes(18).toString('base64url');
const adminUrl = `${base.protocol}//admin.${base.host}`;

const tenant = (tenant_id, url, more) => ({
  tenant_id,
  base_url: url,
  site_id: 'primary',
  status: 'ACTIVE',
  owner: `admin@${base.hostname}`,
  admin_user: 'admin',
  token_gen_services: ['authenticator'],
  token_service: `${url}/v3/tokens`,
  security_kernel: `${url}/v3/security`,
  authenticator: `${url}/v3/oauth2`,
  ...more,
});
const site = {
  site_id: 'primary',
  primary: true,
  base_url: adminUrl,
  tenant_base_url_template: `${base.protocol}//\${tenant_id}.${base.host}`,
  site_admin_tenant_id: 'admin',
  services: names,
};
const tenants = [
  tenant('admin', adminUrl, { public_key: publicKey, description: 'Administration of the site' }),
  tenant('dev', base.origin, { description: 'A tenant to try things in' }),
];

/** Single quotes: nothing inside is replaced; a key's line ends need double ones. */
const quoted = (value) =>
  value.includes('\n') ? `"${value.replaceAll('\n', '\\n')}"` : `'${value}'`;
function write(name, values) {
  const lines = Object.entries(values).map(([key, value]) => `${key}=${quoted(value)}`);
  writeFileSync(join(folder, `${name}.env`), `${lines.join('\n')}\n`, { mode: 0o600 });
}

write('postgres', { POSTGRES_PASSWORD: databasePassword });
write('rabbitmq', { RABBITMQ_DEFAULT_USER: 'platform', RABBITMQ_DEFAULT_PASS: brokerPassword });
write('common', {
  PLATFORM_NAME: 'svc',
  SITE_ID: 'primary',
  DATABASE_URL: `postgres://postgres:${databasePassword}@postgres:5432/postgres`,
  AMQP_URL: `amqp://platform:${brokerPassword}@rabbitmq:5672`,
  INTERNAL_URL: 'http://gateway:3000',
  PRIMARY_URL: adminUrl,
  ALLOW_PRIVATE_ADDRESSES: 'false',
  LOG_LEVEL: 'info',
  // the gateway
  TRUSTED_PROXIES: '1',
});
const own = {
  'sites-tenants': { SEED_SITES: JSON.stringify([site]), SEED_TENANTS: JSON.stringify(tenants) },
  tokens: { SITE_ADMIN_PRIVATE_KEY: privateKey },
  'security-kernel': {
    MASTER_KEY: `k1:${randomBytes(32).toString('base64')}`,
    SERVICE_PASSWORDS: JSON.stringify(passwords),
  },
};
for (const [service, identity] of Object.entries(IDENTITIES))
  write(service, { SERVICE_PASSWORD: passwords[identity], ...own[service] });
process.stdout.write(`Settings of a site at ${base.origin} are in ${folder}\n`);
