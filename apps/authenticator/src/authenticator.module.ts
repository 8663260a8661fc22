import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { Authorizations } from './actions/authorizations';
import { ClientActions } from './actions/clients.actions';
import { DirectorySource } from './actions/directory-source';
import { LdapSource } from './actions/ldap-source';
import { LoginGuard } from './actions/login-guard';
import { PasswordGrant } from './actions/password-grant';
import { SeedAccounts } from './actions/seed-accounts';
import { SignIn } from './actions/sign-in';
import { TenantConfigs } from './actions/tenant-configs';
import { TokenGrants } from './actions/token-grants';
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
import { TokenMaker } from './clients/token-maker';
import { RequestSource } from './http/request-source';
import { TokensController } from './http/tokens.controller';
import { AccountsStore } from './store/accounts.store';
import { CreateAccounts1700000002001 } from './store/migrations/1700000002001-create-accounts';
import { People1700000002101 } from './store/migrations/1700000002101-people';

@Module({
  imports: [
    MessagingModule,
    DatabaseModule.for({
      service: 'authenticator',
      migrations: [CreateAccounts1700000002001, People1700000002101],
    }),
  ],
  controllers: [TokensController, ...PAGE_CONTROLLERS],
  providers: [
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
    TokenMaker,
    PasswordGrant,
    RequestSource,
    TenantConfigs,
    LoginGuard,
    ClientActions,
    Authorizations,
    TokenGrants,
  ],
})
export class AuthenticatorModule {}
