import { writeFileSync } from 'node:fs';
import { environment, loadSettings, SettingsError } from '@libs/config';
import { listen, proxyListener, siteDocs } from '@libs/service-kit';
import { setPlatformName } from '@libs/platform-name';
import { endOnSignals } from './end-on-signals';
import { LauncherSettings } from './launcher-settings';
import { hasBroker } from './parts/broker';
import { DataFolder } from './parts/data-folder';
import { startParts } from './parts/parts';
import { claimPort, freePort } from './parts/ports';
import { Problem } from './problem';
import { serviceEnvironment } from './service-environment';
import { identitiesOf, planOf } from './site-plan';
import { SERVICES } from './services';
import { Shutdown } from './shutdown';

/** Services served one by one listen from here on, in the order of the list, each where nobody else does. */
const FIRST_PORT = 3100;

/** `npm run infra`: everything but the services, which `npx nx serve <app>` runs one by one behind this listener. */
async function main(shutdown: Shutdown): Promise<void> {
  const settings = loadSettings(LauncherSettings, environment());
  setPlatformName(settings.platformName);
  await claimPort(settings);
  const data = new DataFolder(settings.dataDir);
  data.claim();
  shutdown.add(() => data.release());
  const broker = hasBroker() && !process.argv.includes('--no-rabbitmq');
  const plan = planOf(settings);
  const needs = { broker, host: true };
  const parts = await startParts(
    settings,
    data,
    Promise.resolve({ identities: identitiesOf(SERVICES) }),
    needs,
    shutdown,
  );
  const host = parts.host!;
  const places = [];
  for (const [i, service] of SERVICES.entries())
    places.push({ service, port: await freePort('127.0.0.1', FIRST_PORT + i) });
  const routes = places.flatMap(({ service, port }) =>
    service.prefixes.map((prefix) => ({ prefix, target: () => `http://127.0.0.1:${port}` })),
  );
  const front = await listen(
    proxyListener(routes, siteDocs([...SERVICES])),
    settings.host,
    settings.port,
  );
  shutdown.add(() => front.close(500));
  const environments = places.map(({ service, port }) => [
    service.name,
    {
      ...serviceEnvironment(service, settings, plan, parts),
      HOST: '127.0.0.1',
      PORT: String(port),
      TRUSTED_PROXIES: '1',
    },
  ]);
  const file = data.at('infra.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(environments), null, 2), { mode: 0o600 });
  process.stdout.write(`DATABASE_URL=${parts.databaseUrl}
AMQP_URL=${parts.amqpUrl ?? ''}
SSH ${host.user}@${host.host}:${host.port}, key ${data.at('sshd', 'user_key')}
Listener ${plan.devUrl}, settings of each service in ${file}
${places.map(({ service, port }) => `  npx nx serve ${service.name.padEnd(18)} port ${port}`).join('\n')}
`);
}

const shutdown = new Shutdown();
endOnSignals(shutdown);
main(shutdown).catch(async (error: Error) => {
  await shutdown.run();
  const plain = error instanceof Problem || error instanceof SettingsError;
  process.stderr.write(`${plain ? error.message : (error.stack ?? error.message)}\n`);
  process.exit(1);
});
