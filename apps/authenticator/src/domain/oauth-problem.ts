import { ApiError, isApiError } from '@libs/envelope';

/** The error names of RFC 6749 (5.2, 4.1.2.1), RFC 6750 (3.1) and RFC 8628 (3.5). */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_token'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'temporarily_unavailable'
  | 'server_error';

/** A refusal that has a name in OAuth: in the envelope its code is made of that, in raw answers it stands alone. */
export class OAuthProblem extends ApiError {
  constructor(
    readonly error: OAuthError,
    text: string,
    headers: Record<string, string> = {},
  ) {
    super(
      error === 'invalid_client' ? 401 : 400,
      `AUTHENTICATOR_${error.toUpperCase()}`,
      text,
      null,
      { headers },
    );
  }
}

/** Bad client credentials, whichever of id and key is wrong (RFC 6749, 5.2; ruling 52). */
export const invalidClient = (tenant: string, text = 'Invalid client credentials.') =>
  new OAuthProblem('invalid_client', text, { 'WWW-Authenticate': `Basic realm="${tenant}"` });

/** The body of a raw answer for whatever was thrown. */
export function rawProblem(problem: ApiError): { error: string; error_description: string } {
  return { error: nameOf(problem), error_description: problem.text };
}

function nameOf(problem: ApiError): OAuthError {
  const { status } = problem;
  if (problem instanceof OAuthProblem) return problem.error;
  if (isApiError(problem, 429) || status === 503) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  return status === 401 ? 'invalid_token' : 'invalid_request';
}
