import { Injectable } from '@nestjs/common';
import { Conflict } from '@libs/envelope';
import { Database, isDuplicate, Outbox, run } from '@libs/database';
import { tenantsChanged } from '@libs/messages';
import type { EntityManager } from 'typeorm';
import type { Changes, Tenant } from '../domain/tenant';
import type { Stored } from './stored';

export type StoredTenant = Stored<Tenant> & { owned_by_primary: boolean };

export interface HistoryRow {
  tenant_id: string;
  updated: Date;
  updated_by: string;
  updates: Changes;
}

const SELECT = `SELECT t.record || jsonb_build_object('status', t.status) AS record, t.created, t.updated,
  t.created_by, t.updated_by, s.is_primary AS owned_by_primary
  FROM tenant t JOIN site s USING (site_id)`;
const INSERT = `INSERT INTO tenant (tenant_id, base_url, site_id, status, record, created_by, updated_by)
  VALUES ($1, $2, $3, $4, $5, $6, $6)`;

/** Rows of tenants with their history; each change is told to every service. */
@Injectable()
export class TenantsStore {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async withStatus(statuses: readonly string[]): Promise<StoredTenant[]> {
    const sql = `${SELECT} WHERE t.status = ANY($1) ORDER BY t.tenant_id`;
    return this.database.query<StoredTenant>(sql, [statuses]);
  }

  async find(id: string): Promise<StoredTenant | undefined> {
    const sql = `${SELECT} WHERE t.tenant_id = $1`;
    return (await this.database.query<StoredTenant>(sql, [id]))[0];
  }

  async add(tenant: Tenant, author: string): Promise<void> {
    try {
      await this.database.transaction(async (tx) => {
        await run(tx, INSERT, values(tenant, author));
        await this.outbox.add(tx, tenantsChanged, {});
      });
    } catch (error) {
      throw duplicate(error, tenant) ?? error;
    }
  }

  /** Seeds: tenants that are there stay as they are; owners they name are registered. */
  async seed(tenants: Tenant[], author: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const tenant of tenants) {
        const owner = { name: tenant.owner, email: tenant.owner, institution: '-' };
        await run(
          tx,
          `INSERT INTO owner (email, record, created_by, updated_by)
           SELECT $1, $2, $3, $3 WHERE NOT EXISTS (SELECT FROM tenant WHERE tenant_id = $4)
           ON CONFLICT DO NOTHING`,
          [tenant.owner, JSON.stringify(owner), author, tenant.tenant_id],
        );
        await run(tx, `${INSERT} ON CONFLICT (tenant_id) DO NOTHING`, values(tenant, author));
      }
    });
  }

  /**
   * Changes the tenant as `change` says of the row as it is, which nobody else changes meanwhile, and writes that
   * down in its history. Undefined when there is no such tenant.
   */
  async update(
    id: string,
    author: string,
    change: (row: StoredTenant) => Promise<Changes> | Changes,
  ): Promise<StoredTenant | undefined> {
    return this.database.transaction(async (tx) => {
      const [row] = await this.locked(tx, id);
      if (!row) return undefined;
      const updates = await change(row);
      const { status, ...rest } = Object.fromEntries(
        Object.entries(updates).map(([name, { new: value }]) => [name, value]),
      );
      await run(
        tx,
        `UPDATE tenant SET record = record || $2::jsonb, status = coalesce($3, status),
         updated = now(), updated_by = $4 WHERE tenant_id = $1`,
        [id, JSON.stringify(rest), status ?? null, author],
      );
      await run(
        tx,
        'INSERT INTO tenant_history (tenant_id, updated_by, updates) VALUES ($1, $2, $3)',
        [id, author, JSON.stringify(updates)],
      );
      if (Object.keys(updates).length) await this.outbox.add(tx, tenantsChanged, {});
      const { rows } = await run<StoredTenant>(tx, `${SELECT} WHERE t.tenant_id = $1`, [id]);
      return rows[0];
    });
  }

  async history(id: string): Promise<HistoryRow[]> {
    return this.database.query<HistoryRow>(
      'SELECT tenant_id, updated, updated_by, updates FROM tenant_history WHERE tenant_id = $1 ORDER BY id',
      [id],
    );
  }

  private async locked(tx: EntityManager, id: string): Promise<StoredTenant[]> {
    const sql = `${SELECT} WHERE t.tenant_id = $1 FOR UPDATE OF t`;
    return (await run<StoredTenant>(tx, sql, [id])).rows;
  }
}

const values = (tenant: Tenant, author: string) => [
  tenant.tenant_id,
  tenant.base_url,
  tenant.site_id,
  tenant.status,
  JSON.stringify(tenant),
  author,
];

function duplicate(error: unknown, { tenant_id, base_url }: Tenant): Conflict | undefined {
  if (!isDuplicate(error)) return undefined;
  const text = isDuplicate(error, 'tenant_base_url_key')
    ? `Tenant ${tenant_id} can't have base_url ${base_url}: another tenant has it.`
    : `There is a tenant "${tenant_id}" already.`;
  return new Conflict('TENANTS_TENANT_DUPLICATE', text);
}
