import { ApiError } from '@libs/envelope';
import type { Client } from './client';

/** The query of /authorize as it came; nothing in it is trusted. */
export interface AuthorizationQuery {
  client_id?: string;
  redirect_uri?: string;
  response_type?: string;
  state?: string;
  scope?: string;
  nonce?: string;
  code_challenge?: string;
  code_challenge_method?: string;
}

/** A checked request for a code or a token: the redirect URI is the client's own. */
export interface Authorization {
  tenant: string;
  client: Client;
  redirectUri: string;
  responseType: 'code' | 'token';
  state?: string;
  scope?: string;
  nonce?: string;
  codeChallenge?: string;
}

/** Who consented, and at which of the tenant's identity providers they logged in. */
export interface AuthorizedUser {
  username: string;
  idpId?: string;
}

/** A request that must not be answered by a redirect: shown to the person as a page. */
export class AuthorizationProblem extends ApiError {
  constructor(
    /** As in RFC 6749, 4.1.2.1. */
    readonly error: string,
    text: string,
  ) {
    super(400, `AUTHENTICATOR_${error.toUpperCase()}`, text);
  }
}
