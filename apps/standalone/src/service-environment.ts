import { environment, type Environment } from '@libs/config';
import { callable } from './callable';
import type { LauncherSettings } from './launcher-settings';
import type { Parts } from './parts/parts';
import { seedAccounts, seedSite, seedTenants } from './seeds';
import type { SitePlan } from './site-plan';

/**
 * What one service is told, in the shape of an environment: the same in one process, forked or in a container. Settings
 * of single services may stand in the launcher's own environment; what the launcher makes itself wins.
 */
export function serviceEnvironment(
  service: { name: string; identity: string },
  settings: LauncherSettings,
  plan: SitePlan,
  parts: Parts,
): Environment {
  const { secrets } = parts;
  const { host, port } = callable(settings);
  return {
    ...environment(),
    PLATFORM_NAME: settings.platformName,
    SITE_ID: plan.id,
    DATABASE_URL: parts.databaseUrl,
    AMQP_URL: parts.amqpUrl,
    HOST: settings.host,
    PORT: String(settings.port),
    LOG_LEVEL: settings.logLevel,
    LOG_FILE: settings.logFile ?? parts.logFile,
    INTERNAL_URL: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    PRIMARY_URL: plan.primaryUrl,
    ...(plan.primary ? {} : { REGISTRY_FILE: parts.registryFile }),
    SERVICE_PASSWORD: secrets.servicePasswords[service.identity],
    ALLOW_LOOPBACK_ADDRESSES: 'true',
    NODE_ENV: settings.nodeEnv,
    ...ownSettings(service.name, settings, plan, parts),
  };
}

/** Secrets go to the one service that keeps them. */
function ownSettings(
  name: string,
  { port, nodeEnv }: LauncherSettings,
  plan: SitePlan,
  { secrets }: Parts,
): Environment {
  switch (name) {
    case 'sites-tenants':
      return {
        SEED_SITES: JSON.stringify([seedSite(plan, port)]),
        SEED_TENANTS: JSON.stringify(seedTenants(plan, secrets.siteAdminPublicKey)),
      };
    case 'tokens':
      return { SITE_ADMIN_PRIVATE_KEY: secrets.siteAdminPrivateKey };
    case 'security-kernel':
      return {
        MASTER_KEY: `k1:${secrets.masterKey}`,
        SERVICE_PASSWORDS: JSON.stringify(secrets.servicePasswords),
      };
    case 'authenticator':
      return nodeEnv === 'production' ? {} : { SEED_ACCOUNTS: JSON.stringify(seedAccounts(plan)) };
    default:
      return {};
  }
}
