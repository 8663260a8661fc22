import { Injectable } from '@nestjs/common';
import { NotFound } from '@libs/envelope';
import type { Client, ClientChange, NewClient } from '../domain/client';

/** Who asks: a person of a tenant. */
export interface Owner {
  tenant: string;
  user: string;
}

/** The OAuth clients of a person. */
@Injectable()
export class ClientActions {
  /** The key is in this answer and never again; a public client has none. */
  async create(
    owner: Owner,
    wanted: NewClient,
  ): Promise<{ client: Client; clientKey: string | null }> {
    return Promise.reject(missing(owner, wanted.client_id));
  }

  async list(_owner: Owner, _showInactive = false): Promise<Client[]> {
    return [];
  }

  async get(owner: Owner, clientId: string): Promise<Client> {
    return Promise.reject(missing(owner, clientId));
  }

  async update(owner: Owner, clientId: string, _change: ClientChange): Promise<Client> {
    return Promise.reject(missing(owner, clientId));
  }

  /** For good: nothing that the client holds works afterwards, and its id is never given again. */
  async remove(owner: Owner, clientId: string): Promise<void> {
    return Promise.reject(missing(owner, clientId));
  }

  /** The tenant's client of the token web application, made when it is asked for first. */
  async webapp(tenant: string, callbackUrl: string): Promise<Client> {
    return Promise.reject(missing({ tenant, user: '' }, callbackUrl));
  }
}

const missing = ({ tenant }: Owner, id = '') =>
  new NotFound('AUTHENTICATOR_CLIENT_NOT_FOUND', `Client "${id}" of tenant ${tenant}`, id);
