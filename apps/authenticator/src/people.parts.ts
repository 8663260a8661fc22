import { AccountActions } from './actions/accounts.actions';
import { BrowserLogins } from './actions/browser-logins';
import { Consents } from './actions/consents';
import { DirectorySecrets } from './actions/directory-secrets';
import { DirectorySource } from './actions/directory-source';
import { LdapSource } from './actions/ldap-source';
import { OutsideLogins } from './actions/outside-logins';
import { PageSigner } from './actions/page-signer';
import { SecondFactor } from './actions/second-factor';
import { SeedAccounts } from './actions/seed-accounts';
import { SignIn } from './actions/sign-in';
import { UserSources } from './actions/user-sources';
import { LdapRecords } from './clients/ldap-records';
import { OutsideHttp } from './clients/outside-http';
import { AccountsController } from './http/accounts.controller';
import { DirectorySecretsController } from './http/directory-secrets.controller';
import { AccountPages } from './http/pages/account.pages';
import { AssetsController } from './http/pages/assets.controller';
import { AuthorizeController } from './http/pages/authorize.controller';
import { ClientPages } from './http/pages/clients.pages';
import { DeviceController } from './http/pages/device.controller';
import { LoginController } from './http/pages/login.controller';
import { LogoutController } from './http/pages/logout.controller';
import { MfaController } from './http/pages/mfa.controller';
import { PageProblems } from './http/pages/page-problems';
import { Pages } from './http/pages/pages';
import { Wallet } from './http/pages/wallet';
import { Webapp } from './http/pages/webapp';
import { WebappController } from './http/pages/webapp.controller';
import { AccountsStore } from './store/accounts.store';
import { BrowserSessionsStore } from './store/browser-sessions.store';
import { ConsentsStore } from './store/consents.store';
import { TotpStore } from './store/totp.store';

/** Where people come from, and the pages they see. */
export const PEOPLE_CONTROLLERS = [
  AccountsController,
  DirectorySecretsController,
  AssetsController,
  LoginController,
  LogoutController,
  MfaController,
  AuthorizeController,
  DeviceController,
  WebappController,
  ClientPages,
  AccountPages,
];

export const PEOPLE_PROVIDERS = [
  AccountsStore,
  BrowserSessionsStore,
  ConsentsStore,
  TotpStore,
  LdapRecords,
  OutsideHttp,
  DirectorySource,
  LdapSource,
  UserSources,
  SignIn,
  SeedAccounts,
  AccountActions,
  DirectorySecrets,
  PageSigner,
  SecondFactor,
  BrowserLogins,
  Consents,
  OutsideLogins,
  Pages,
  PageProblems,
  Wallet,
  Webapp,
];
