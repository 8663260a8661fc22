import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Revocations, Tenants, TokenVerifier } from '@libs/auth';
import { ServiceSettings } from '@libs/config';
import { MessagingModule } from '@libs/messaging';
import { SecurityClient, UserDirectory } from '@libs/security-client';
import { ServiceClient, Transport } from '@libs/service-client';
import { ServiceIdentity, type ServiceDefinition } from './define-service';
import { Log } from './log';
import { Metrics } from './metrics';
import { Readiness } from './readiness';
import { Stopping } from './stopping';

/** What every service finds injectable beside its settings. */
const INJECTABLE = [
  Log,
  Metrics,
  Readiness,
  Stopping,
  Tenants,
  Revocations,
  TokenVerifier,
  Transport,
  ServiceClient,
  SecurityClient,
  UserDirectory,
];

@Module({})
class KitModule {}

@Module({})
class RootModule {}

/** The root of one running service: its own module beside what it finds injectable. Without parts: for previews. */
export function rootModule(
  definition: ServiceDefinition,
  parts: { provide: unknown; useValue: unknown }[],
): DynamicModule {
  const { settings } = definition;
  const value = (provide: unknown): Provider => ({
    provide: provide as never,
    useValue: parts.find((p) => p.provide === provide)?.useValue ?? {},
  });
  const providers: Provider[] = [
    { provide: ServiceIdentity, useValue: definition },
    value(settings),
    ...(settings === ServiceSettings ? [] : [{ provide: ServiceSettings, useExisting: settings }]),
    ...INJECTABLE.map(value),
  ];
  const exports = [ServiceIdentity, settings, ServiceSettings, ...INJECTABLE];
  const kit: DynamicModule = { module: KitModule, global: true, providers, exports };
  return { module: RootModule, imports: [kit, MessagingModule, definition.module] };
}
