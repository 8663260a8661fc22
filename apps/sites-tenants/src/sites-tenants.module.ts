import { Module } from '@nestjs/common';
import { DirectorySource } from '@libs/auth';
import { DatabaseModule } from '@libs/database';
import { OwnDirectory } from './actions/own-directory';
import { Registry } from './actions/registry';
import { SeedRegistry } from './actions/seed-registry';
import { SitesController } from './http/sites.controller';
import { TenantsController } from './http/tenants.controller';
import { CreateRegistry1700000003001 } from './store/migrations/1700000003001-create-registry';
import { RegistryStore } from './store/registry.store';

@Module({
  imports: [
    DatabaseModule.for({
      service: 'tenants',
      migrations: [CreateRegistry1700000003001],
      outbox: true,
    }),
  ],
  controllers: [SitesController, TenantsController],
  providers: [
    RegistryStore,
    Registry,
    SeedRegistry,
    { provide: DirectorySource, useClass: OwnDirectory },
  ],
})
export class SitesTenantsModule {}
