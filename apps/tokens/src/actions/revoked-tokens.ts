import { Injectable } from '@nestjs/common';
import { RevocationSource } from '@libs/auth';
import { TokensStore } from '../store/tokens.store';

/** The list of revoked tokens, straight from this service's own table. */
@Injectable()
export class RevokedTokens extends RevocationSource {
  constructor(private readonly tokens: TokensStore) {
    super();
  }

  load(): Promise<{ jti: string; exp: number }[]> {
    return this.tokens.revoked();
  }
}
