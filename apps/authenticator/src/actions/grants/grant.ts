import type { TokenPair } from '../../clients/token-maker';
import type { TenantConfig } from '../../domain/tenant-config';
import { invalidClient, OAuthProblem } from '../../domain/oauth-problem';
import type { KnownClient } from '../client-login';

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

/** Everything a grant is decided by. */
export interface GrantRequest {
  tenant: string;
  address: string;
  config: TenantConfig;
  client?: KnownClient;
  input: TokenInput;
  /** Told as soon as it is known, for the audit record of a refusal. */
  about(username: string): void;
}

export interface GrantOutcome {
  pair: TokenPair;
  username: string;
  scope?: string;
  nonce?: string;
}

/** One way to a token. Throws an OAuthProblem when it is not open. */
export interface Grant {
  give(request: GrantRequest): Promise<GrantOutcome>;
}

/** The client of a grant that can't do without; `proven`: with its key, unless it is one that has none. */
export function clientOf(request: GrantRequest, proven = true): KnownClient['client'] {
  const { client, tenant, input } = request;
  if (!client)
    throw invalidClient(tenant, `The grant ${input.grant_type} needs a client: id and key.`);
  if (proven && client.client.client_type !== 'public' && !client.authenticated)
    throw invalidClient(tenant);
  return client.client;
}

/** The value of a parameter that the grant needs. */
export function needed(input: TokenInput, name: keyof TokenInput): string {
  const value = input[name];
  if (value) return value;
  throw new OAuthProblem('invalid_request', `The grant ${input.grant_type} needs ${name}.`);
}
