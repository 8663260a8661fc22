import { environment, loadSettings } from '@libs/config';
import { setPlatformName } from '@libs/platform-name';
import { LauncherSettings } from '../launcher-settings';
import { DataFolder } from '../parts/data-folder';
import { openSecrets } from '../parts/secrets';
import { Problem } from '../problem';
import { identitiesOf, planOf } from '../site-plan';
import { administrator, argumentsOf, dataOf, ownerOf, runCommand, say } from './arguments';
import { addSite } from './bring-up';

const USAGE = `npm run site -- add <id> --owner <e-mail> --port <number> [options]
  --owner-name, --institution   of an owner who is not registered yet
  --port <number>               where its listener will be on this machine
  --base-url <url>              instead of --port: address of its administrative tenant
  --services <names>            what it runs beside security and tokens, default authenticator,systems
  --data <folder>               where its keys and passwords are made, default .data/sites/<id>
  --url <url>                   the primary site's administrative tenant, default http://admin.localhost:3000
  --user <name>                 a site administrator, default admin; ADMIN_PASSWORD or ADMIN_TOKEN in the environment`;

/** One command to register an associate site; its private key is made here and never leaves its data folder. */
async function main(): Promise<void> {
  const settings = loadSettings(LauncherSettings, environment());
  setPlatformName(settings.platformName);
  const { id, values } = argumentsOf(USAGE, ['port', 'base-url', 'services']);
  const port = Number(values['port'] ?? 0);
  if (!port && !values['base-url']) throw new Problem(`--port or --base-url is needed\n${USAGE}`);
  const siteServices = values['services'] ?? settings.siteServices;
  const registry = await administrator(values);
  const plan = planOf({ ...settings, siteId: id, port, siteServices });
  const data = new DataFolder(dataOf(values, id));
  const services = identitiesOf(plan.services);
  const order = {
    id,
    services,
    adminTenant: plan.adminTenant,
    baseUrl: values['base-url'] ?? plan.adminUrl,
    publicKey: openSecrets(data.at('secrets.json'), services).siteAdminPublicKey,
    owner: ownerOf(values),
  };
  await addSite(registry, order, say);
  say(`Start it with
  SITE_ID=${id} PRIMARY_URL=${registry.baseUrl} PORT=${new URL(order.baseUrl).port || 443} SITE_SERVICES=${siteServices} DATA_DIR=${data.path} npm start`);
}

void runCommand(main);
