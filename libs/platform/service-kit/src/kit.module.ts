import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ServiceSettings } from '@libs/config';
import { ServiceIdentity, type ServiceDefinition } from './define-service';

/** What every service finds injectable: its settings, its identity, its log, its metrics and the clients. */
@Module({})
export class KitModule {
  static for(definition: ServiceDefinition, parts: Provider[]): DynamicModule {
    const aliases: Provider[] =
      definition.settings === ServiceSettings
        ? []
        : [{ provide: ServiceSettings, useExisting: definition.settings }];
    const providers = [
      ...parts,
      ...aliases,
      { provide: ServiceIdentity, useValue: definition as ServiceIdentity },
    ];
    return {
      module: KitModule,
      global: true,
      imports: [],
      providers,
      exports: providers.map((p) => ('provide' in p ? p.provide : p)),
    };
  }
}

/** The root of one running service. */
@Module({})
export class RootModule {}
