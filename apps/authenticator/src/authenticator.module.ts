import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { OAUTH_CONTROLLERS, OAUTH_PROVIDERS } from './oauth.parts';
import { PEOPLE_CONTROLLERS, PEOPLE_PROVIDERS } from './people.parts';
import { CreateAccounts1700000002001 } from './store/migrations/1700000002001-create-accounts';
import { People1700000002101 } from './store/migrations/1700000002101-people';
import { CreateOauth1700000002201 } from './store/migrations/1700000002201-create-oauth';
import { EventsOfChanges1700000002302 } from './store/migrations/1700000002302-events-of-changes';
import { KnownPlaces1700000002301 } from './store/migrations/1700000002301-known-places';

@Module({
  imports: [
    MessagingModule,
    DatabaseModule.for({
      service: 'authenticator',
      migrations: [
        CreateAccounts1700000002001,
        People1700000002101,
        CreateOauth1700000002201,
        KnownPlaces1700000002301,
        EventsOfChanges1700000002302,
      ],
    }),
  ],
  controllers: [...OAUTH_CONTROLLERS, ...PEOPLE_CONTROLLERS],
  providers: [...OAUTH_PROVIDERS, ...PEOPLE_PROVIDERS],
})
export class AuthenticatorModule {}
