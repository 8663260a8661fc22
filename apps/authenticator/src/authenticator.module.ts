import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { DirectorySource } from './actions/directory-source';
import { LdapSource } from './actions/ldap-source';
import { SeedAccounts } from './actions/seed-accounts';
import { SignIn } from './actions/sign-in';
import { UserSources } from './actions/user-sources';
import { LdapRecords } from './clients/ldap-records';
import { BrowserLogins } from './actions/browser-logins';
import { Consents } from './actions/consents';
import { OutsideLogins } from './actions/outside-logins';
import { PageSigner } from './actions/page-signer';
import { SecondFactor } from './actions/second-factor';
import { OutsideHttp } from './clients/outside-http';
import { PAGE_CONTROLLERS } from './http/pages';
import { PageProblems } from './http/pages/page-problems';
import { Pages } from './http/pages/pages';
import { BrowserSessionsStore } from './store/browser-sessions.store';
import { ConsentsStore } from './store/consents.store';
import { TotpStore } from './store/totp.store';
import { AccountsStore } from './store/accounts.store';
import { CreateAccounts1700000002001 } from './store/migrations/1700000002001-create-accounts';
import { People1700000002101 } from './store/migrations/1700000002101-people';
import { CreateOauth1700000002201 } from './store/migrations/1700000002201-create-oauth';
import { OAUTH_CONTROLLERS, OAUTH_PROVIDERS } from './oauth.parts';

@Module({
  imports: [
    MessagingModule,
    DatabaseModule.for({
      service: 'authenticator',
      migrations: [CreateAccounts1700000002001, People1700000002101, CreateOauth1700000002201],
    }),
  ],
  controllers: [...OAUTH_CONTROLLERS, ...PAGE_CONTROLLERS],
  providers: [
    ...OAUTH_PROVIDERS,
    AccountsStore,
    DirectorySource,
    LdapRecords,
    LdapSource,
    UserSources,
    SignIn,
    PageSigner,
    BrowserSessionsStore,
    BrowserLogins,
    TotpStore,
    SecondFactor,
    ConsentsStore,
    Consents,
    OutsideHttp,
    OutsideLogins,
    Pages,
    PageProblems,
    SeedAccounts,
  ],
})
export class AuthenticatorModule {}
