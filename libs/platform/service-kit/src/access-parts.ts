import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplication, Type } from '@nestjs/common';
import {
  DirectorySource,
  Revocations,
  RevocationSource,
  Tenants,
  TokenVerifier,
  type Directory,
} from '@libs/auth';
import type { ServiceSettings } from '@libs/config';
import { Database } from '@libs/database';
import { MessageBus } from '@libs/messaging';
import { tenantsChanged, tokensRevoked } from '@libs/messages';
import { SecurityClient, UserDirectory } from '@libs/security-client';
import {
  HttpDirectory,
  HttpRevocations,
  KeptDirectory,
  OwnTokens,
  PasswordTokens,
  ServiceClient,
  Transport,
} from '@libs/service-client';
import type { ServiceDefinition } from './define-service';
import type { Log } from './log';
import type { Readiness } from './readiness';

/** What checks callers and calls others. Each source may be replaced by one that the service's own module provides. */
export interface AccessParts {
  tenants: Tenants;
  revocations: Revocations;
  verifier: TokenVerifier;
  transport: Transport;
  providers: { provide: unknown; useValue: unknown }[];
  use(sources: Partial<Sources>): void;
  stop(): void;
}

const REGISTRY_PATIENCE_MS = 30_000;
const REGISTRY_RETRY_MS = 50;

interface Sources {
  directory: DirectorySource;
  revocations: RevocationSource;
  tokens: OwnTokens;
}

export function createAccess(
  { identity }: ServiceDefinition,
  settings: ServiceSettings,
): AccessParts {
  const transport = new Transport();
  const source = {} as Sources;
  const tenants = new Tenants(
    { load: (): Promise<Directory> => source.directory.load() },
    settings.siteId,
  );
  const revocations = new Revocations({ load: () => source.revocations.load() });
  const verifier = new TokenVerifier(tenants, revocations);
  const client = new ServiceClient(identity, tenants, settings, transport, () => source.tokens);
  const security = new SecurityClient(client, identity);
  const registry = new HttpDirectory(settings, transport);
  const { registryFile } = settings;
  source.directory = registryFile ? new KeptDirectory(registry, registryFile) : registry;
  source.revocations = new HttpRevocations(client);
  source.tokens = new PasswordTokens(identity, settings, tenants, transport);
  return {
    tenants,
    revocations,
    verifier,
    transport,
    providers: [
      { provide: Tenants, useValue: tenants },
      { provide: Revocations, useValue: revocations },
      { provide: TokenVerifier, useValue: verifier },
      { provide: Transport, useValue: transport },
      { provide: ServiceClient, useValue: client },
      { provide: SecurityClient, useValue: security },
      { provide: UserDirectory, useValue: new UserDirectory(client) },
    ],
    use: (sources) => Object.assign(source, sources),
    stop: () => {
      tenants.stop();
      revocations.stop();
    },
  };
}

interface Container {
  getModules(): Map<string, { providers: Map<unknown, unknown> }>;
}

/** An injectable of the service's own module, if it provides one; asking the framework itself would log an error. */
function provided<T>(app: INestApplication, token: unknown): T | undefined {
  const { container } = app as unknown as { container: Container };
  const known = [...container.getModules().values()].some((m) => m.providers.has(token));
  return known ? app.get<T>(token as Type<T>, { strict: false }) : undefined;
}

/** Takes the sources that the service's own module provides in place of those over HTTP; answers which. */
export function useOwnSources(app: INestApplication, access: AccessParts): OwnSources {
  const directory = provided<DirectorySource>(app, DirectorySource);
  const revocations = provided<RevocationSource>(app, RevocationSource);
  const tokens = provided<OwnTokens>(app, OwnTokens);
  access.use({
    ...(directory && { directory }),
    ...(revocations && { revocations }),
    ...(tokens && { tokens }),
  });
  return { registry: directory !== undefined, revocations: revocations !== undefined };
}

/** What a service has in its own tables. */
export interface OwnSources {
  registry: boolean;
  revocations: boolean;
}

/** Waits until the registry has been read; a service that starts before it is patient for a while. */
export async function loadTenants({ tenants }: AccessParts, log: Log): Promise<void> {
  const end = Date.now() + REGISTRY_PATIENCE_MS;
  await tenants.start().catch(() => undefined);
  while (!tenants.ready && Date.now() < end) {
    await delay(REGISTRY_RETRY_MS);
    await tenants.refresh().catch(() => undefined);
  }
  if (!tenants.ready) log.warn('the list of tenants could not be read yet');
}

/** Readiness of what the service uses, and the events that change what its checks know. */
export async function watchParts(
  app: INestApplication,
  access: AccessParts,
  readiness: Readiness,
  { revokedFirst }: { revokedFirst: boolean },
): Promise<void> {
  const database = provided<Database>(app, Database);
  if (database) readiness.add('databaseAccess', () => database.ping());
  const bus = app.get<MessageBus>(MessageBus as unknown as Type<MessageBus>, { strict: false });
  readiness.add('queueAccess', () => bus.ping());
  readiness.add('tenantsAccess', () => access.tenants.ready);
  await bus.subscribe(tenantsChanged, () => access.tenants.refresh());
  access.tenants.onNews(() => void bus.publish(tenantsChanged, {}).catch(() => undefined));
  await bus.subscribe(tokensRevoked, ({ jti, exp }) => access.revocations.add(jti, exp));
  const listed = access.revocations.start();
  // those that the tokens service itself stands on can't wait for it
  if (revokedFirst) await listed;
}
