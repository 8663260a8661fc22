import { Injectable } from '@nestjs/common';
import { Database, Outbox, run } from '@libs/database';
import { tenantsChanged } from '@libs/messages';
import type { Site } from '../domain/site';
import type { Tenant, TenantKeys } from '../domain/tenant';

export interface Stored<T> {
  record: T;
  created: Date;
  updated: Date;
  created_by: string;
  updated_by: string;
}

export type StoredTenant = Stored<Tenant> & { owned_by_primary: boolean };

const TENANT = `t.record || jsonb_build_object('status', t.status) AS record, t.created, t.updated,
  t.created_by, t.updated_by, s.is_primary AS owned_by_primary`;

/** Rows of sites and tenants. What is unique or asked for is a column, the rest lies in the record. */
@Injectable()
export class RegistryStore {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async sites(): Promise<Stored<Site>[]> {
    return this.database.query<Stored<Site>>(
      'SELECT * FROM site ORDER BY is_primary DESC, site_id',
    );
  }

  async site(id: string): Promise<Stored<Site> | undefined> {
    return (
      await this.database.query<Stored<Site>>('SELECT * FROM site WHERE site_id = $1', [id])
    )[0];
  }

  async tenants(statuses: string[]): Promise<StoredTenant[]> {
    const sql = `SELECT ${TENANT} FROM tenant t JOIN site s USING (site_id) WHERE t.status = ANY($1) ORDER BY t.tenant_id`;
    return this.database.query<StoredTenant>(sql, [statuses]);
  }

  async tenant(id: string): Promise<StoredTenant | undefined> {
    const sql = `SELECT ${TENANT} FROM tenant t JOIN site s USING (site_id) WHERE t.tenant_id = $1`;
    return (await this.database.query<StoredTenant>(sql, [id]))[0];
  }

  /** Adds what is not there yet; records that are there stay as they are. */
  async add(sites: Site[], tenants: Tenant[], author: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const site of sites) {
        await run(
          tx,
          `INSERT INTO site (site_id, is_primary, base_url, record, created_by, updated_by)
           VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (site_id) DO NOTHING`,
          [site.site_id, site.primary, site.base_url, JSON.stringify(site), author],
        );
      }
      for (const tenant of tenants) {
        const { tenant_id, base_url, site_id, status } = tenant;
        await run(
          tx,
          `INSERT INTO tenant (tenant_id, base_url, site_id, status, record, created_by, updated_by)
           VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (tenant_id) DO NOTHING`,
          [tenant_id, base_url, site_id, status, JSON.stringify(tenant), author],
        );
      }
    });
  }

  /** Replaces the keys and, when given, the status; answers false for an unknown tenant. */
  async setKeys(
    tenantId: string,
    { status, ...keys }: TenantKeys,
    author: string,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const { rows } = await run(
        tx,
        `UPDATE tenant SET record = record || $2::jsonb, status = coalesce($3, status), updated = now(), updated_by = $4
         WHERE tenant_id = $1 RETURNING tenant_id`,
        [tenantId, JSON.stringify(keys), status ?? null, author],
      );
      if (rows.length) await this.outbox.add(tx, tenantsChanged, {});
      return rows.length > 0;
    });
  }
}
