import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { Authorizations } from './actions/authorizations';
import { ClientActions } from './actions/clients.actions';
import { LoginGuard } from './actions/login-guard';
import { PasswordGrant } from './actions/password-grant';
import { SeedAccounts } from './actions/seed-accounts';
import { TenantConfigs } from './actions/tenant-configs';
import { TokenGrants } from './actions/token-grants';
import { TokenMaker } from './clients/token-maker';
import { RequestSource } from './http/request-source';
import { TokensController } from './http/tokens.controller';
import { AccountsStore } from './store/accounts.store';
import { CreateAccounts1700000002001 } from './store/migrations/1700000002001-create-accounts';

@Module({
  imports: [
    MessagingModule,
    DatabaseModule.for({ service: 'authenticator', migrations: [CreateAccounts1700000002001] }),
  ],
  controllers: [TokensController],
  providers: [
    AccountsStore,
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
