import { versions } from 'node:process';
import { setPlatformName } from '@libs/platform-name';
import type { LauncherSettings } from './launcher-settings';
import { callable } from './callable';
import { nextSteps } from './next-steps';
import type { Options } from './options';
import { DataFolder } from './parts/data-folder';
import { hasDocker } from './parts/docker';
import { identitiesOf, startParts } from './parts/parts';
import { freePort, isFree } from './parts/ports';
import { Problem } from './problem';
import { PublicApi } from './sample/public-api';
import { runSample } from './sample/sample-job';
import { DEV_TENANT, devUrl } from './seeds';
import { startServices } from './start-services';
import { SERVICES } from './services';
import type { Shutdown } from './shutdown';

const SAMPLE_USER = 'testuser1';

/** Brings everything up and runs the sample; answers whether the sample went well. */
export async function startPlatform(
  settings: LauncherSettings,
  options: Options,
  shutdown: Shutdown,
  since: number,
): Promise<boolean> {
  const say = (line: string) => {
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    process.stdout.write(`${seconds.padStart(5)} s  ${line}\n`);
  };
  setPlatformName(settings.platformName);
  await claimPort(settings);
  const data = new DataFolder(settings.dataDir);
  data.claim();
  data.folder('log');
  shutdown.add(() => data.release());
  const docker = hasDocker();
  const broker = options.fork;
  const parts = await startParts(settings, data, identitiesOf(SERVICES), { broker }, shutdown);
  say(`Node ${versions.node}, data in ${data.path}`);
  say(
    `PostgreSQL ${settings.databaseUrl ? 'as DATABASE_URL says' : 'embedded'}, ${messages(parts.amqpUrl, settings)}`,
  );
  say(`SSH server on ${parts.host.host}:${parts.host.port} for ${parts.host.user}`);
  await startServices({ settings, options, data, parts, shutdown });
  say(
    `${SERVICES.length} services behind ${devUrl(settings.port)}${options.fork ? ', each in its own process' : ''}`,
  );
  if (!options.sample) {
    process.stdout.write(`Ready: ${devUrl(settings.port)}\n`);
    return true;
  }
  const rootDir = data.folder('host');
  const api = new PublicApi(devUrl(settings.port), callable(settings));
  await api.login(SAMPLE_USER, SAMPLE_USER);
  process.stdout.write(
    `\nA sample job, through the REST API as ${SAMPLE_USER} of tenant ${DEV_TENANT}:\n`,
  );
  const runtimes = ['ZIP', ...((await docker) ? ['DOCKER'] : [])];
  const good = await runSample({ api, host: parts.host, rootDir, runtimes, say });
  say(
    good
      ? 'The sample job went well.'
      : 'The sample job did not go well; logs are in ' + data.at('log'),
  );
  if (!options.once) process.stdout.write(nextSteps(settings, SAMPLE_USER));
  return good;
}

async function claimPort(settings: LauncherSettings): Promise<void> {
  if (settings.port === 0) settings.port = await freePort(settings.host);
  else if (!(await isFree(settings.host, settings.port)))
    throw new Problem(
      `Port ${settings.port} on ${settings.host} is taken: set PORT (or HOST) to another one.`,
    );
}

function messages(amqpUrl: string | undefined, settings: LauncherSettings): string {
  if (settings.amqpUrl) return 'RabbitMQ as AMQP_URL says';
  return amqpUrl ? 'RabbitMQ of its own' : 'messages in this process';
}
