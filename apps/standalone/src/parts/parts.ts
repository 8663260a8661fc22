import { startEmbeddedPostgres } from '@libs/database';
import type { LauncherSettings } from '../launcher-settings';
import type { Shutdown } from '../shutdown';
import { startBroker } from './broker';
import type { DataFolder } from './data-folder';
import { startLocalHost, type LocalHost } from './local-host';
import { openSecrets, type Secrets } from './secrets';

/** What the services stand on: a database, a way for messages, a host to run on, and the secrets. */
export interface Parts {
  databaseUrl: string;
  /** Absent: messages stay inside the process. */
  amqpUrl?: string;
  host: LocalHost;
  secrets: Secrets;
  /** Where services write what they log; a process of its own has its own. */
  logFile: string;
}

/** Starts what the settings don't name already; each part is stopped by the shutdown it is added to. */
export async function startParts(
  settings: LauncherSettings,
  data: DataFolder,
  identities: readonly string[],
  { broker }: { broker: boolean },
  shutdown: Shutdown,
): Promise<Parts> {
  const started = <T extends { stop(): unknown }>(part: T): T => {
    shutdown.add(() => part.stop());
    return part;
  };
  const parts = await Promise.allSettled([
    settings.databaseUrl ??
      startEmbeddedPostgres({ dir: data.at('postgres') }).then((server) => started(server).url),
    settings.amqpUrl ??
      (broker ? startBroker(data).then((server) => started(server).url) : undefined),
    startLocalHost(data).then(started),
  ]);
  // one that failed must not leave the others running unnoticed: all are known to the shutdown by now
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
  const [databaseUrl, amqpUrl, host] = parts.map(
    (part) => (part as PromiseFulfilledResult<unknown>).value,
  ) as [string, string | undefined, LocalHost];
  const secrets = openSecrets(data.at('secrets.json'), identities);
  return { databaseUrl, amqpUrl, host, secrets, logFile: data.at('log', 'platform.log') };
}

/** The names services have in tokens; workers share the one of their API. */
export const identitiesOf = (services: readonly { identity: string }[]): string[] => [
  ...new Set(services.map((service) => service.identity)),
];
