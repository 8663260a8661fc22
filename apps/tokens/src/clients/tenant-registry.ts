import { Injectable } from '@nestjs/common';
import type { TenantEntry, TenantKey } from '@libs/auth';
import { path, ServiceClient } from '@libs/service-client';

export type RegisteredTenant = TenantEntry & { created_by: string };

/** The registry at the primary site, as far as this service reads and writes it. */
@Injectable()
export class TenantRegistry {
  constructor(private readonly client: ServiceClient) {}

  async withDrafts(): Promise<RegisteredTenant[]> {
    const calls = await this.client.asItself();
    return calls.get('tenants', '/v3/tenants', { query: { show_draft: 'true' } });
  }

  async tenant(id: string): Promise<RegisteredTenant> {
    return (await this.client.asItself()).get('tenants', path`/v3/tenants/${id}`);
  }

  async setKeys(id: string, keys: TenantKey[], status?: string): Promise<void> {
    const body = { public_key: keys[0]!.public_key, public_keys: keys, status };
    await (await this.client.asItself()).put('tenants', path`/v3/tenants/${id}`, { body });
  }
}
