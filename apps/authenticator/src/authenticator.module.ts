import { Module } from '@nestjs/common';
import { DatabaseModule } from '@libs/database';
import { MessagingModule } from '@libs/messaging';
import { PasswordGrant } from './actions/password-grant';
import { SeedAccounts } from './actions/seed-accounts';
import { TokenMaker } from './clients/token-maker';
import { TokensController } from './http/tokens.controller';
import { AccountsStore } from './store/accounts.store';
import { CreateAccounts1700000002001 } from './store/migrations/1700000002001-create-accounts';

@Module({
  imports: [
    MessagingModule,
    DatabaseModule.for({ service: 'authenticator', migrations: [CreateAccounts1700000002001] }),
  ],
  controllers: [TokensController],
  providers: [AccountsStore, SeedAccounts, TokenMaker, PasswordGrant],
})
export class AuthenticatorModule {}
