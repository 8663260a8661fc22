import type { Provider, Type } from '@nestjs/common';
import { Audit } from './actions/audit';
import { Authorizations } from './actions/authorizations';
import { ClientEndings } from './actions/client-endings';
import { ClientLogin } from './actions/client-login';
import { ClientActions } from './actions/clients.actions';
import { DeviceAuthorizations } from './actions/device-authorizations';
import { Discovery } from './actions/discovery';
import { AuthorizationCodeGrant } from './actions/grants/authorization-code.grant';
import { DeviceCodeGrant } from './actions/grants/device-code.grant';
import { PasswordGrant } from './actions/grants/password.grant';
import { RefreshTokenGrant } from './actions/grants/refresh-token.grant';
import { Housekeeping } from './actions/housekeeping';
import { Identities } from './actions/identities';
import { LoginGuard } from './actions/login-guard';
import { RateLimits } from './actions/rate-limits';
import { TenantConfigs } from './actions/tenant-configs';
import { TokenGrants } from './actions/token-grants';
import { TokenIssue } from './actions/token-issue';
import { TokenMaker } from './clients/token-maker';
import { AuthEvents } from './actions/auth-events';
import { V2Tokens } from './actions/v2-tokens';
import { AdminController } from './http/admin.controller';
import { ClientsController } from './http/clients.controller';
import { DiscoveryController } from './http/discovery.controller';
import { OidcController } from './http/oidc.controller';
import { Person } from './http/person';
import { ProfilesController } from './http/profiles.controller';
import { RenewalsController } from './http/renewals.controller';
import { RequestSource } from './http/request-source';
import { TokensController } from './http/tokens.controller';
import { AttemptsStore } from './store/attempts.store';
import { AuthEventsStore } from './store/auth-events.store';
import { AuthorizationCodesStore } from './store/authorization-codes.store';
import { ClientsStore } from './store/clients.store';
import { DeviceCodesStore } from './store/device-codes.store';
import { IssuedTokensStore } from './store/issued-tokens.store';
import { KnownPlacesStore } from './store/known-places.store';
import { TenantConfigsStore } from './store/tenant-configs.store';

/** Grants, clients, codes and settings: the OAuth 2.0 side of the module. */
export const OAUTH_CONTROLLERS: Type[] = [
  TokensController,
  RenewalsController,
  OidcController,
  ClientsController,
  AdminController,
  ProfilesController,
  DiscoveryController,
];

export const OAUTH_PROVIDERS: Provider[] = [
  Audit,
  Authorizations,
  ClientEndings,
  ClientLogin,
  ClientActions,
  DeviceAuthorizations,
  Discovery,
  AuthorizationCodeGrant,
  DeviceCodeGrant,
  PasswordGrant,
  RefreshTokenGrant,
  Housekeeping,
  Identities,
  LoginGuard,
  RateLimits,
  TenantConfigs,
  TokenGrants,
  TokenIssue,
  TokenMaker,
  AuthEvents,
  V2Tokens,
  Person,
  RequestSource,
  AttemptsStore,
  AuthEventsStore,
  AuthorizationCodesStore,
  ClientsStore,
  DeviceCodesStore,
  IssuedTokensStore,
  KnownPlacesStore,
  TenantConfigsStore,
];
