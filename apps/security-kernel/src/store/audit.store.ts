import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database, run } from '@libs/database';
import { listSql, columnsOf, type ListQuery } from '@libs/search';
import type { EntityManager } from 'typeorm';
import { AUDIT_ATTRIBUTES, type AuditRecord } from '../domain/audit-record';

/** Who changes something: the subject of the token, and on whose behalf. A `Caller` fits. */
export type Changer = Pick<
  Caller,
  'tenant' | 'user' | 'jwtTenant' | 'jwtUser' | 'delegator' | 'trackingId'
>;

/** What was changed: never with a secret in it. */
export interface Change {
  tenant: string;
  /** `role.create`, `user.grantPermission`, `secret.write` … */
  action: string;
  /** The role, user, share or secret. */
  object: string;
  details?: object;
}

const COLUMNS = columnsOf(AUDIT_ATTRIBUTES, { alias: 'a' });

/** The record of changes; nothing ever leaves it. */
@Injectable()
export class AuditStore {
  constructor(private readonly database: Database) {}

  async add(tx: EntityManager, by: Changer, change: Change): Promise<void> {
    await run(
      tx,
      `INSERT INTO audit (tenant, action, object, details, jwt_tenant, jwt_user, obo_tenant, obo_user, delegator, tracking_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        change.tenant,
        change.action,
        change.object,
        JSON.stringify(change.details ?? {}),
        by.jwtTenant,
        by.jwtUser,
        by.tenant,
        by.user,
        by.delegator,
        by.trackingId,
      ],
    );
  }

  /** Records of one tenant and, when asked for, how many there are in all. */
  async list(
    tenant: string,
    query: ListQuery,
  ): Promise<{ records: AuditRecord[]; total?: number }> {
    const params: unknown[] = [tenant];
    const { where, after, orderBy, page, countParams } = listSql(query, COLUMNS, params);
    const records = await this.database.query<AuditRecord>(
      `SELECT a.id::float8 AS id, a.created, a.tenant, a.action, a.object, a.details, a.jwt_tenant AS "jwtTenant",
         a.jwt_user AS "jwtUser", a.obo_tenant AS "oboTenant", a.obo_user AS "oboUser", a.delegator,
         a.tracking_id AS "trackingId"
       FROM audit a WHERE a.tenant = $1 AND ${where} AND ${after} ${orderBy} ${page}`,
      params,
    );
    if (!query.computeTotal) return { records };
    const [count] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM audit a WHERE a.tenant = $1 AND ${where}`,
      countParams,
    );
    return { records, total: count!.total };
  }
}
