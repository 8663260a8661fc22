import { Injectable } from '@nestjs/common';
import { BadInput, Conflict, Forbidden, NotFound } from '@libs/envelope';
import { callbackProblem } from '../domain/callback-url';
import {
  type Client,
  type ClientChange,
  isReserved,
  type NewClient,
  webappId,
} from '../domain/client';
import { newCode } from '../domain/one-time-code';
import { hashPassword } from '../domain/password-hash';
import { type ClientRow, ClientsStore } from '../store/clients.store';
import { ClientEndings } from './client-endings';

/** Who asks: a person of a tenant. */
export interface Owner {
  tenant: string;
  user: string;
}

const MOST_CLIENTS = 200;
const LONGEST_NAME = 50;
/** What owns the client of the web application: no person. */
const NOBODY = '~authenticator';

/** The OAuth clients of a person. */
@Injectable()
export class ClientActions {
  constructor(
    private readonly clients: ClientsStore,
    private readonly endings: ClientEndings,
  ) {}

  /** The key is in this answer and never again; a public client has none. */
  async create(
    { tenant, user }: Owner,
    wanted: NewClient,
  ): Promise<{ client: Client; clientKey: string | null }> {
    const id = wanted.client_id || newCode();
    const problems = [
      callbackProblem(wanted.callback_url),
      wanted.client_type === 'public' && wanted.client_key !== undefined
        ? 'client_key: a public client has none'
        : undefined,
      isReserved(id) ? 'client_id: is reserved for the platform' : undefined,
    ].filter((p) => p !== undefined);
    if (problems.length)
      throw new BadInput('AUTHENTICATOR_CLIENT', 'The client is not valid', problems);
    if ((await this.clients.count(tenant, user)) >= MOST_CLIENTS)
      throw new Conflict(
        'AUTHENTICATOR_CLIENT_LIMIT',
        `${user} has ${MOST_CLIENTS} clients already: delete one first.`,
      );
    const key = wanted.client_type === 'public' ? null : wanted.client_key || newCode();
    const row = await this.clients.add({
      tenant,
      client_id: id,
      client_type: wanted.client_type,
      key_hash: key === null ? null : await hashPassword(key),
      callback_url: wanted.callback_url,
      display_name: wanted.display_name || id.slice(0, LONGEST_NAME),
      description: wanted.description,
      owner: user,
    });
    if (row) return { client: shownClient(row), clientKey: key };
    throw new Conflict(
      'AUTHENTICATOR_CLIENT_EXISTS',
      `The client_id "${id}" is or was in use in tenant ${tenant} and can't be given again.`,
    );
  }

  async list({ tenant, user }: Owner, showInactive = false): Promise<Client[]> {
    return (await this.clients.list(tenant, user, showInactive)).map(shownClient);
  }

  async get(owner: Owner, clientId: string): Promise<Client> {
    return shownClient(await this.owned(owner, clientId));
  }

  async update(owner: Owner, clientId: string, change: ClientChange): Promise<Client> {
    await this.owned(owner, clientId);
    const problem = callbackProblem(change.callback_url ?? '');
    if (problem) throw new BadInput('AUTHENTICATOR_CLIENT', 'The change is not valid', [problem]);
    const row = await this.clients.change(owner.tenant, clientId, change);
    if (!row)
      throw new Conflict('AUTHENTICATOR_CLIENT_DELETED', `Client "${clientId}" was deleted.`);
    if (!row.active) await this.endings.end(owner.tenant, clientId);
    return shownClient(row);
  }

  /** For good: nothing that the client holds works afterwards, and its id is never given again. */
  async remove(owner: Owner, clientId: string): Promise<void> {
    await this.owned(owner, clientId);
    await this.clients.remove(owner.tenant, clientId);
    await this.endings.end(owner.tenant, clientId);
  }

  /** The tenant's client of the token web application, made when it is asked for first. */
  async webapp(tenant: string, callbackUrl: string): Promise<Client> {
    const id = webappId(tenant);
    const known = await this.clients.find(tenant, id);
    if (known?.callback_url === callbackUrl) return shownClient(known);
    if (known) await this.clients.change(tenant, id, { callback_url: callbackUrl });
    else
      await this.clients.add({
        tenant,
        client_id: id,
        client_type: 'public',
        key_hash: null,
        callback_url: callbackUrl,
        display_name: 'Tokens',
        description: 'The token web application',
        owner: NOBODY,
      });
    return shownClient((await this.clients.find(tenant, id))!);
  }

  private async owned({ tenant, user }: Owner, clientId: string): Promise<ClientRow> {
    const row = await this.clients.find(tenant, clientId);
    if (!row)
      throw new NotFound(
        'AUTHENTICATOR_CLIENT_NOT_FOUND',
        `Client "${clientId}" of tenant ${tenant}`,
        clientId,
      );
    if (row.owner === user) return row;
    throw new Forbidden(
      'AUTHENTICATOR_CLIENT_FORBIDDEN',
      `Client "${clientId}" belongs to another user.`,
    );
  }
}

/** The record as it is shown: without anything of the key. */
export function shownClient(row: ClientRow): Client {
  return {
    client_id: row.client_id,
    client_type: row.client_type,
    callback_url: row.callback_url,
    display_name: row.display_name,
    description: row.description,
    owner: row.owner,
    tenant_id: row.tenant,
    active: row.active,
    create_time: row.created.toUTCString(),
    last_update_time: row.updated.toUTCString(),
  };
}
