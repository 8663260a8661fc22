import { Injectable } from '@nestjs/common';
import type { Authorization } from '../domain/authorization';
import { webappId } from '../domain/client';
import { ConsentsStore } from '../store/consents.store';

/** Whether a client must ask again, and what a person has allowed for good. */
@Injectable()
export class Consents {
  constructor(private readonly store: ConsentsStore) {}

  /** The tenant's own web application is no stranger; others were allowed before, for at least this. */
  async isGiven({ tenant, client, scope }: Authorization, username: string): Promise<boolean> {
    if (client.client_id === webappId(tenant)) return true;
    return this.store.has(tenant, username, client.client_id, scope);
  }

  remember({ tenant, client, scope }: Authorization, username: string): Promise<void> {
    return this.store.remember(tenant, username, client.client_id, scope);
  }

  list(tenant: string, username: string): Promise<{ client_id: string; given: Date }[]> {
    return this.store.list(tenant, username);
  }

  forget(tenant: string, username: string, clientId: string): Promise<void> {
    return this.store.forget(tenant, username, clientId);
  }
}
