import { versions } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { setPlatformName } from '@libs/platform-name';
import type { LauncherSettings } from './launcher-settings';
import { callable } from './callable';
import { nextSteps } from './next-steps';
import type { Options } from './options';
import { DataFolder } from './parts/data-folder';
import { hasDocker } from './parts/docker';
import { startParts } from './parts/parts';
import { claimPort } from './parts/ports';
import { PRIMARY } from './primary';
import { PublicApi } from './sample/public-api';
import { runSample } from './sample/sample-job';
import type { Shutdown } from './shutdown';

const SAMPLE_USER = 'testuser1';
const PARTS_FIRST_MS = 50;

/** Brings everything up and runs the sample; answers whether the sample went well. */
export async function startPlatform(
  settings: LauncherSettings,
  options: Options,
  shutdown: Shutdown,
  since: number,
): Promise<boolean> {
  const say = (line: string) => {
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    print(`${seconds.padStart(5)} s  ${line}`);
  };
  setPlatformName(settings.platformName);
  await claimPort(settings);
  const data = new DataFolder(settings.dataDir);
  data.claim();
  data.folder('log');
  shutdown.add(() => data.release());
  const primary = settings.siteId === PRIMARY;
  const docker = options.sample && primary ? hasDocker() : undefined;
  const code = servicesCode();
  const planned = code.then(({ planOf, identitiesOf }) => {
    const plan = planOf(settings);
    return { plan, identities: identitiesOf(plan.services) };
  });
  const needs = { broker: options.fork, host: primary };
  const parts = await startParts(settings, data, planned, needs, shutdown);
  const [{ startServices }, { plan }] = await Promise.all([code, planned]);
  const { services, devUrl: url } = plan;
  const { host } = parts;
  say(`Node ${versions.node}, data in ${data.path}`);
  say(`PostgreSQL ${settings.databaseUrl ? 'as DATABASE_URL says' : 'of its own'}`);
  say(`messages ${messages(parts.amqpUrl, settings)}`);
  if (host) say(`SSH server on ${host.host}:${host.port} for ${host.user}`);
  await startServices({ settings, plan, options, data, parts, shutdown });
  const how = options.fork ? ' in processes of their own' : '';
  const whose = plan.primary ? '' : ` of site ${plan.id}`;
  say(`${services.length} services${whose}${how} behind ${url}`);
  if (!options.sample || !host) return print(`Ready: ${url}`);
  if (settings.nodeEnv === 'production')
    return !print('NODE_ENV is production: there are no test accounts, so no sample job runs.');
  print(`\nA sample job, through the REST API as ${SAMPLE_USER} of tenant ${plan.devTenant}:`);
  const api = new PublicApi(url, callable(settings));
  const sample = {
    api,
    host,
    rootDir: data.folder('host'),
    runtimes: ['ZIP', ...((await docker) ? ['DOCKER'] : [])],
    say,
    more: (line: string) => print(`${' '.repeat(18)}${line}`),
  };
  const good = await api
    .login(SAMPLE_USER, SAMPLE_USER)
    .then(() => runSample(sample))
    .catch((error: Error) => !print(error.message));
  if (good) say('The sample job went well.');
  else say(`The sample job did not go well; logs are in ${data.at('log')}`);
  if (!options.once) process.stdout.write(nextSteps(url, SAMPLE_USER));
  return good;
}

/**
 * The services' code: reading it keeps this process as busy as making a database keeps another, so it begins when the
 * parts are on their way.
 */
async function servicesCode() {
  await pause(PARTS_FIRST_MS);
  const [plans, start] = await Promise.all([
    import('./site-plan.js'),
    import('./start-services.js'),
  ]);
  return { ...plans, ...start };
}

function print(line: string): true {
  process.stdout.write(`${line}\n`);
  return true;
}

function messages(amqpUrl: string | undefined, settings: LauncherSettings): string {
  if (settings.amqpUrl) return 'over RabbitMQ as AMQP_URL says';
  return amqpUrl ? 'over a RabbitMQ of its own' : 'inside this process';
}
