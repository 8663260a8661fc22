import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import { type AuthEvent, insertEvent } from './auth-events.store';
import type { ConfigChange } from '../domain/tenant-config';

/** What tenants have decided themselves; the rest is the default. Secrets are not in here. */
@Injectable()
export class TenantConfigsStore {
  constructor(private readonly database: Database) {}

  async find(tenant: string): Promise<ConfigChange | undefined> {
    const sql = 'SELECT config FROM tenant_config WHERE tenant = $1';
    return (await this.database.query<{ config: ConfigChange }>(sql, [tenant]))[0]?.config;
  }

  /** Only the given members change; two changes at once both hold. The record is kept with it. */
  async merge(tenant: string, change: ConfigChange, event: AuthEvent): Promise<void> {
    await this.database.transaction(async (tx) => {
      await run(
        tx,
        `INSERT INTO tenant_config (tenant, config, updated_by) VALUES ($1, $2, $3)
       ON CONFLICT (tenant) DO UPDATE SET config = tenant_config.config || excluded.config,
         updated = now(), updated_by = excluded.updated_by`,
        [tenant, JSON.stringify(change), event.by],
      );
      await insertEvent(tx, event);
    });
  }
}
