import { Injectable } from '@nestjs/common';
import type { TenantEntry, TenantKey } from '@libs/auth';
import { path, ServiceClient } from '@libs/service-client';

export type RegisteredTenant = TenantEntry & { created_by: string };

/** A record and the version it was read in. */
export interface ReadTenant {
  record: RegisteredTenant;
  etag: string;
}

/** The registry at the primary site, as far as this service reads and writes it. */
@Injectable()
export class TenantRegistry {
  constructor(private readonly client: ServiceClient) {}

  async withDrafts(): Promise<RegisteredTenant[]> {
    const calls = await this.client.asItself();
    return calls.get('tenants', '/v3/tenants', { query: { show_draft: 'true' } });
  }

  /** In whatever status. */
  async tenant(id: string): Promise<ReadTenant> {
    const calls = await this.client.asItself();
    const answer = await calls.full<RegisteredTenant>('GET', 'tenants', path`/v3/tenants/${id}`);
    return { record: answer.result, etag: String(answer.headers['etag'] ?? '*') };
  }

  /** 412 when somebody has changed the tenant since it was read. */
  async setKeys(
    { record, etag }: ReadTenant,
    keys: readonly TenantKey[],
    status?: string,
  ): Promise<void> {
    const body = { public_key: keys[0]!.public_key, public_keys: keys, status };
    const calls = await this.client.asItself();
    const url = path`/v3/tenants/${record.tenant_id}`;
    await calls.put('tenants', url, { body, headers: { 'if-match': etag } });
  }
}
