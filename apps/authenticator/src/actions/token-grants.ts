import { Injectable } from '@nestjs/common';
import { BadInput } from '@libs/envelope';
import type { AccessToken } from '../clients/token-maker';

/** What is sent to the token endpoint. */
export interface TokenInput {
  grant_type: string;
  username?: string;
  password?: string;
  client_id?: string;
  client_key?: string;
  redirect_uri?: string;
  code?: string;
  code_verifier?: string;
  device_code?: string;
  refresh_token?: string;
  scope?: string;
}

/** Where a request came from. */
export interface RequestOrigin {
  tenant: string;
  address: string;
  /** The header, when there is one. */
  authorization?: string;
}

export interface RefreshToken {
  refresh_token: string;
  expires_at: string;
  expires_in: number;
  jti: string;
}

export interface Granted {
  access_token: AccessToken;
  refresh_token?: RefreshToken;
}

/** Tokens for whoever proves to have a right to them: one entry for every grant. */
@Injectable()
export class TokenGrants {
  /** Throws an ApiError that says which rule was broken; each outcome leaves an audit record. */
  async grant(input: TokenInput, _origin: RequestOrigin): Promise<Granted> {
    throw new BadInput('AUTHENTICATOR_GRANT_TYPE', `Invalid grant_type "${input.grant_type}".`);
  }

  /** Whoever holds a token may end it; with a refresh token everything of the same login ends. */
  async revoke(_token: string, _origin: RequestOrigin): Promise<void> {}
}
