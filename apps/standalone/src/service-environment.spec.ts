import { loadSettings } from '@libs/config';
import { LauncherSettings } from './launcher-settings';
import type { Parts } from './parts/parts';
import { serviceEnvironment } from './service-environment';
import { planOf } from './site-plan';

const parts: Parts = {
  databaseUrl: 'postgres://somewhere',
  host: {} as Parts['host'],
  secrets: {
    siteAdminPrivateKey: 'the private key',
    siteAdminPublicKey: 'the public key',
    masterKey: 'the master key',
    servicePasswords: { systems: 'password of systems', jobs: 'password of jobs' },
  },
  logFile: 'log',
  registryFile: 'registry.json',
};
const settings = (env: Record<string, string> = {}) => loadSettings(LauncherSettings, env);
const environmentOf = (name: string, identity = name, env = {}) => {
  const made = settings(env);
  return serviceEnvironment({ name, identity }, made, planOf(made), parts);
};

it('tells each secret to the one service that keeps it', () => {
  const told = (secret: string) =>
    ['sites-tenants', 'tokens', 'security-kernel', 'authenticator', 'systems', 'files'].filter(
      (name) => JSON.stringify(environmentOf(name)).includes(secret),
    );
  expect(told('the private key')).toEqual(['tokens']);
  expect(told('the master key')).toEqual(['security-kernel']);
  expect(told('password of systems')).toEqual(['security-kernel', 'systems']);
});

it('gives a worker the password of its API', () => {
  expect(environmentOf('jobs-worker', 'jobs')).toMatchObject({
    SERVICE_PASSWORD: 'password of jobs',
  });
});

it('names an address that can be called when it listens everywhere', () => {
  const env = { HOST: '0.0.0.0', PORT: '8080' };
  expect(environmentOf('systems', 'systems', env)).toMatchObject({
    HOST: '0.0.0.0',
    INTERNAL_URL: 'http://127.0.0.1:8080',
    PRIMARY_URL: 'http://admin.localhost:8080',
  });
});

it('seeds accounts outside production only', () => {
  expect(environmentOf('authenticator')).toHaveProperty('SEED_ACCOUNTS');
  expect(
    environmentOf('authenticator', 'authenticator', { NODE_ENV: 'production' }),
  ).not.toHaveProperty('SEED_ACCOUNTS');
});

it('tells the services of an associate where the primary is, and where to keep the registry', () => {
  const env = { SITE_ID: 'west', PORT: '3001', PRIMARY_URL: 'http://admin.localhost:3000' };
  expect(environmentOf('systems', 'systems', env)).toMatchObject({
    SITE_ID: 'west',
    PRIMARY_URL: 'http://admin.localhost:3000',
    INTERNAL_URL: 'http://127.0.0.1:3001',
    REGISTRY_FILE: 'registry.json',
  });
  expect(environmentOf('systems')).not.toHaveProperty('REGISTRY_FILE', 'registry.json');
});
