import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';

export interface ShareKey {
  tenant: string;
  grantor: string;
  grantee: string;
  resourceType: string;
  resourceId1: string;
  resourceId2?: string | null;
  privilege: string;
}

export interface Share extends ShareKey {
  id: number;
  resourceId2: string | null;
  created: Date;
  createdBy: string;
  createdByTenant: string;
}

export type ShareFilter = Partial<Omit<Share, 'created' | 'tenant' | 'id'>> & {
  tenant: string;
  includePublicGrantees: boolean;
  requireNullId2: boolean;
  id: number;
};

/** Everybody of the tenant, and everybody at all (platform contract, 5.7). */
export const PUBLIC_GRANTEES = ['~public', '~public_no_authn'];

const COLUMNS = `id::int AS id, tenant, grantor, grantee, resource_type AS "resourceType", resource_id1 AS "resourceId1",
  resource_id2 AS "resourceId2", privilege, created, created_by AS "createdBy", created_by_tenant AS "createdByTenant"`;

@Injectable()
export class SharesStore {
  constructor(private readonly database: Database) {}

  /** Answers the share and whether it was made just now. */
  async create(
    tx: EntityManager,
    key: ShareKey,
    service: { user: string; tenant: string },
  ): Promise<{ id: number; made: boolean }> {
    const params = [...keyParams(key), service.user, service.tenant];
    const made = await run<{ id: number }>(
      tx,
      `INSERT INTO share (tenant, grantor, grantee, resource_type, resource_id1, resource_id2, privilege, created_by, created_by_tenant)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id::int AS id`,
      params,
    );
    if (made.rows[0]) return { id: made.rows[0].id, made: true };
    const old = await run<{ id: number }>(
      tx,
      `SELECT id::int AS id FROM share WHERE ${KEY} AND created_by = $8 AND created_by_tenant = $9`,
      params,
    );
    // Gone between the two statements: make it after all.
    return old.rows[0] ? { id: old.rows[0].id, made: false } : this.create(tx, key, service);
  }

  async find(tenant: string, id: number): Promise<Share | undefined> {
    const sql = `SELECT ${COLUMNS} FROM share WHERE tenant = $1 AND id = $2`;
    return (await this.database.query<Share>(sql, [tenant, id]))[0];
  }

  async list(filter: ShareFilter): Promise<Share[]> {
    if (filter.id > 0) {
      const one = await this.find(filter.tenant, filter.id);
      return one ? [one] : [];
    }
    const params: unknown[] = [filter.tenant];
    const where = ['tenant = $1'];
    const equal = (column: string, value: string | null | undefined) => {
      if (value) where.push(`${column} = $${params.push(value)}`);
    };
    /** A trailing `%` asks for everything that begins so; elsewhere it is a plain character. */
    const prefixed = (column: string, value: string | null | undefined) => {
      if (!value) return;
      if (value.endsWith('%'))
        where.push(`starts_with(${column}, $${params.push(value.slice(0, -1))})`);
      else
        where.push(
          `${column} = $${params.push(value)} AND md5(${column}) = md5($${params.length})`,
        );
    };
    equal('grantor', filter.grantor);
    if (filter.grantee) {
      const grantees = filter.includePublicGrantees
        ? [filter.grantee, ...PUBLIC_GRANTEES]
        : [filter.grantee];
      where.push(`grantee = ANY($${params.push(grantees)})`);
    }
    equal('resource_type', filter.resourceType);
    prefixed('resource_id1', filter.resourceId1);
    prefixed('resource_id2', filter.resourceId2);
    if (!filter.resourceId2 && filter.requireNullId2) where.push('resource_id2 IS NULL');
    equal('privilege', filter.privilege);
    equal('created_by', filter.createdBy);
    equal('created_by_tenant', filter.createdByTenant);
    return this.database.query<Share>(
      `SELECT ${COLUMNS} FROM share WHERE ${where.join(' AND ')} ORDER BY id`,
      params,
    );
  }

  async hasPrivilege(key: Omit<ShareKey, 'grantor'>, publicGrantees: string[]): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM share WHERE tenant = $1 AND grantee = ANY($2) AND resource_type = $3 AND resource_id1 = $4
         AND md5(resource_id1) = md5($4) AND resource_id2 IS NOT DISTINCT FROM $5 AND privilege = $6 LIMIT 1`,
      [
        key.tenant,
        [key.grantee, ...publicGrantees],
        key.resourceType,
        key.resourceId1,
        key.resourceId2 || null,
        key.privilege,
      ],
    );
    return rows.length > 0;
  }

  /** Only the service that made a share takes it away; `which` is its id or its key values. */
  async remove(
    tx: EntityManager,
    which: number | ShareKey,
    tenant: string,
    service: { user: string; tenant: string },
  ): Promise<Share[]> {
    const byId = typeof which === 'number';
    const params = byId ? [tenant, which] : keyParams(which);
    const by = `created_by = $${params.push(service.user)} AND created_by_tenant = $${params.push(service.tenant)}`;
    const sql = `DELETE FROM share WHERE ${byId ? 'tenant = $1 AND id = $2' : KEY} AND ${by} RETURNING ${COLUMNS}`;
    return (await run<Share>(tx, sql, params)).rows;
  }
}

const KEY = `tenant = $1 AND grantor = $2 AND grantee = $3 AND resource_type = $4 AND resource_id1 = $5
  AND md5(resource_id1) = md5($5)
  AND resource_id2 IS NOT DISTINCT FROM $6 AND privilege = $7`;

function keyParams(key: ShareKey): unknown[] {
  return [
    key.tenant,
    key.grantor,
    key.grantee,
    key.resourceType,
    key.resourceId1,
    key.resourceId2 || null,
    key.privilege,
  ];
}
