import { Injectable } from '@nestjs/common';
import { TokensStore } from '../store/tokens.store';

/** Tokens as the authenticator remembers them: by their ids. */
@Injectable()
export class IssuedTokens {
  constructor(private readonly tokens: TokensStore) {}

  /** Every service refuses them when this resolves, or soon after; what has expired is let be. */
  revoke(tokens: readonly { jti: string; exp: number }[]): Promise<void> {
    return this.tokens.revokeIssued(tokens);
  }
}
