import { Injectable } from '@nestjs/common';
import { basicCredentials, formDecoded, isBasic } from '../domain/basic-credentials';
import { invalidClient, OAuthProblem } from '../domain/oauth-problem';
import { checkPassword } from '../domain/password-hash';
import { type ClientRow, ClientsStore } from '../store/clients.store';
import { LoginGuard } from './login-guard';

export interface ClientCredentials {
  client_id?: string;
  client_key?: string;
}

export interface KnownClient {
  client: ClientRow;
  /** It has shown its key. */
  authenticated: boolean;
}

interface Shown {
  id: string;
  /** What the key may be: as it was sent, and form-decoded as RFC 6749 (2.3.1) wants it in a header. */
  keys: string[];
}

/** Which client sends a request to a token endpoint, and whether it is the one it says. */
@Injectable()
export class ClientLogin {
  constructor(
    private readonly clients: ClientsStore,
    private readonly guard: LoginGuard,
  ) {}

  /** Undefined when the request names no client. Throws invalid_client for every reason alike. */
  async identify(
    tenant: string,
    address: string,
    body: ClientCredentials,
    authorization: string | undefined,
  ): Promise<KnownClient | undefined> {
    const shown = credentialsOf(tenant, body, authorization);
    if (!shown) return undefined;
    const known = await this.guard.attemptClient(tenant, shown.id, address, () =>
      this.check(tenant, shown),
    );
    if (!known) throw invalidClient(tenant);
    return known;
  }

  /** A client that need not show its key here, if there still is one. */
  async active(tenant: string, id: string): Promise<KnownClient> {
    const client = await this.clients.find(tenant, id);
    if (client?.active) return { client, authenticated: true };
    throw new OAuthProblem('invalid_grant', `Client "${id}" of tenant ${tenant} has stopped.`);
  }

  /** An unknown client, a stopped one and a wrong key take the same time. */
  private async check(tenant: string, { id, keys }: Shown): Promise<KnownClient | null> {
    const client = await this.clients.find(tenant, id);
    const active = client?.active === true;
    if (!keys.length) return active ? { client, authenticated: false } : null;
    let right = false;
    for (const key of keys)
      right = (await checkPassword(key, client?.key_hash ?? undefined)) || right;
    return active && right ? { client, authenticated: true } : null;
  }
}

function credentialsOf(
  tenant: string,
  { client_id: id, client_key: key }: ClientCredentials,
  authorization: string | undefined,
): Shown | undefined {
  if (!isBasic(authorization)) {
    if (key !== undefined && id === undefined)
      throw new OAuthProblem('invalid_request', 'client_key was given without client_id.');
    return id === undefined ? undefined : { id, keys: key === undefined ? [] : [key] };
  }
  const basic = basicCredentials(authorization);
  if (!basic) throw invalidClient(tenant);
  // no id has a percent sign: where there is one, it was encoded
  const name = basic.name.includes('%') ? formDecoded(basic.name) : basic.name;
  if (key !== undefined || (id !== undefined && id !== name))
    throw new OAuthProblem(
      'invalid_request',
      'The client authenticates in the header and in the body; one is enough.',
    );
  return { id: name, keys: [...new Set([basic.password, formDecoded(basic.password)])] };
}
