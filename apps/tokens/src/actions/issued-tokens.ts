import { Injectable } from '@nestjs/common';
import { LONGEST_ACCESS } from './token-actions';
import { TokensStore } from '../store/tokens.store';

/** Tokens as the authenticator remembers them: by their ids. */
@Injectable()
export class IssuedTokens {
  constructor(private readonly tokens: TokensStore) {}

  /** Those of an associate's tenants, which the primary serves too; longer than a token can live is no time to keep. */
  addRevoked(tokens: readonly { jti: string; exp: number }[]): Promise<void> {
    return this.tokens.addRevoked(tokens, new Date(Date.now() + LONGEST_ACCESS * 1000));
  }

  /** Every service refuses them when this resolves, or soon after; what has expired is let be. */
  revoke(tokens: readonly { jti: string; exp: number }[]): Promise<void> {
    return this.tokens.revokeIssued(tokens);
  }
}
