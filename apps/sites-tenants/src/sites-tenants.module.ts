import { Module } from '@nestjs/common';
import { DirectorySource } from '@libs/auth';
import { DatabaseModule } from '@libs/database';
import { ContactsActions } from './actions/contacts.actions';
import { OwnDirectory } from './actions/own-directory';
import { RegistryRights } from './actions/registry-rights';
import { SeedRegistry } from './actions/seed-registry';
import { SitesActions } from './actions/sites.actions';
import { TenantRules } from './actions/tenant-rules';
import { TenantsActions } from './actions/tenants.actions';
import { ContactsController } from './http/contacts.controller';
import { SitesController } from './http/sites.controller';
import { TenantsController } from './http/tenants.controller';
import { ContactsStore } from './store/contacts.store';
import { CreateRegistry1700000003001 } from './store/migrations/1700000003001-create-registry';
import { CompleteRegistry1700000003002 } from './store/migrations/1700000003002-complete-registry';
import { SitesStore } from './store/sites.store';
import { TenantsStore } from './store/tenants.store';

@Module({
  imports: [
    DatabaseModule.for({
      service: 'tenants',
      migrations: [CreateRegistry1700000003001, CompleteRegistry1700000003002],
      outbox: true,
    }),
  ],
  // owners and ldaps are words of the path, not ids of tenants: their routes come first
  controllers: [SitesController, ContactsController, TenantsController],
  providers: [
    SitesStore,
    TenantsStore,
    ContactsStore,
    RegistryRights,
    TenantRules,
    SitesActions,
    TenantsActions,
    ContactsActions,
    SeedRegistry,
    { provide: DirectorySource, useClass: OwnDirectory },
  ],
})
export class SitesTenantsModule {}
