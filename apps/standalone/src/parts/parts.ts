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
  /** Absent at an associate site, which runs no sample. */
  host?: LocalHost;
  secrets: Secrets;
  /** Where services write what they log; a process of its own has its own. */
  logFile: string;
  /** Where an associate keeps the list of sites and tenants. */
  registryFile: string;
}

/** Starts what the settings don't name already, all at once; the shutdown knows of each before it is there. */
export async function startParts(
  settings: LauncherSettings,
  data: DataFolder,
  known: Promise<{ identities: readonly string[] }>,
  wanted: { broker: boolean; host: boolean },
  shutdown: Shutdown,
): Promise<Parts> {
  const postgres = settings.databaseUrl ? undefined : startPostgres(data, shutdown.signal);
  const rabbit =
    settings.amqpUrl || !wanted.broker ? undefined : startBroker(data, shutdown.signal);
  const localHost = wanted.host ? startLocalHost(data) : undefined;
  const parts: Promise<Part | undefined>[] = [
    Promise.resolve(postgres),
    Promise.resolve(rabbit),
    Promise.resolve(localHost),
  ];
  stopTogether(parts, shutdown);
  // one that failed is told when the others have come as far as they can: all of them have to be ended
  await Promise.allSettled([...parts, known]);
  return {
    databaseUrl: settings.databaseUrl ?? (await postgres)!.url,
    amqpUrl: settings.amqpUrl ?? (await rabbit)?.url,
    host: await localHost,
    secrets: openSecrets(data.at('secrets.json'), (await known).identities),
    logFile: data.at('log', 'platform.log'),
    registryFile: data.at('registry.json'),
  };
}

/** A program beside this one. */
interface Part {
  stop(): Promise<void>;
  kill(): Promise<void>;
}

function stopTogether(parts: Promise<Part | undefined>[], shutdown: Shutdown): void {
  const there = new Set<Part>();
  for (const part of parts)
    void part.then(
      (started) => started && there.add(started),
      () => undefined,
    );
  const stop = async () => {
    await Promise.allSettled(parts);
    await Promise.all([...there].map((part) => part.stop().then(() => there.delete(part))));
  };
  shutdown.add(stop, () => Promise.all([...there].map((part) => part.kill())));
}

function startPostgres(data: DataFolder, signal: AbortSignal): Promise<Part & { url: string }> {
  return startEmbeddedPostgres({ dir: data.at('postgres'), signal });
}
