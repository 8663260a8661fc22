import { Module } from '@nestjs/common';
import { RevocationSource } from '@libs/auth';
import { DatabaseModule } from '@libs/database';
import { OwnTokens } from '@libs/service-client';
import { Housekeeping } from './actions/housekeeping';
import { IdentityTokens } from './actions/identity-tokens';
import { IssuedTokens } from './actions/issued-tokens';
import { KeyRotation } from './actions/key-rotation';
import { NewTokens } from './actions/new-token';
import { PrivateKeys } from './actions/private-keys';
import { Requesters } from './actions/requester';
import { RevokedTokens } from './actions/revoked-tokens';
import { SeedKeys } from './actions/seed-keys';
import { SelfSignedTokens } from './actions/self-signed-tokens';
import { SigningKeys } from './actions/signing-keys';
import { TenantKeys } from './actions/tenant-keys';
import { TellPrimary } from './actions/tell-primary';
import { TokenActions } from './actions/token-actions';
import { Authenticator } from './clients/authenticator';
import { TenantRegistry } from './clients/tenant-registry';
import { AuthenticatorController } from './http/authenticator.controller';
import { SitesController } from './http/sites.controller';
import { TokensController } from './http/tokens.controller';
import { CreateTokens1700000004001 } from './store/migrations/1700000004001-create-tokens';
import { CreateKeyLives1700000004002 } from './store/migrations/1700000004002-create-key-lives';
import { TellRevocations1700000004003 } from './store/migrations/1700000004003-tell-revocations';
import { KeyLivesStore } from './store/key-lives.store';
import { TokensStore } from './store/tokens.store';

@Module({
  imports: [
    DatabaseModule.for({
      service: 'tokens',
      migrations: [
        CreateTokens1700000004001,
        CreateKeyLives1700000004002,
        TellRevocations1700000004003,
      ],
      outbox: true,
    }),
  ],
  controllers: [TokensController, AuthenticatorController, SitesController],
  providers: [
    TokensStore,
    KeyLivesStore,
    PrivateKeys,
    TenantKeys,
    Housekeeping,
    TellPrimary,
    Authenticator,
    TenantRegistry,
    SigningKeys,
    SeedKeys,
    Requesters,
    NewTokens,
    TokenActions,
    KeyRotation,
    IdentityTokens,
    IssuedTokens,
    RevokedTokens,
    { provide: RevocationSource, useExisting: RevokedTokens },
    { provide: OwnTokens, useClass: SelfSignedTokens },
  ],
})
export class TokensModule {}
