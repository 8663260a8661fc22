import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';
import { columnsOf, jsonAttribute, listSql, type Columns, type ListQuery } from '@libs/search';
import type { VisibleResources } from '@libs/security-client';
import { attributes } from '../domain/list-spec';
import { SYSTEM_COLUMNS, SYSTEM_JOIN, type SystemRow } from './system-row';

/** Which systems a list may show: those owned, and those others let this user see. */
export interface Visible extends VisibleResources {
  showDeleted: boolean;
  hasCredentials?: boolean;
}

/** Attributes with columns of their own; the others lie in the document. */
const OWN = [
  'tenant',
  'id',
  'owner',
  'systemType',
  'host',
  'enabled',
  'deleted',
  'parentId',
  'tags',
  'created',
  'updated',
];

const COLUMNS: Columns = columnsOf(
  attributes.filter(({ name }) => OWN.includes(name)),
  {
    alias: 's',
    overrides: Object.fromEntries(
      attributes
        .filter(({ name, search }) => search && !OWN.includes(name))
        .map(({ name, type }) => [name, jsonAttribute('s.attributes', name, type as 'string')]),
    ),
  },
);

const HAS_CREDENTIALS = `coalesce(s.attributes->>'defaultAuthnMethod' = ANY(c.methods), false)`;

@Injectable()
export class SystemsListStore {
  constructor(private readonly database: Database) {}

  async list(
    tenant: string,
    user: string,
    visible: Visible,
    query: ListQuery,
  ): Promise<{ rows: SystemRow[]; total?: number }> {
    const params: unknown[] = [tenant, user];
    const where = ['s.tenant = $1'];
    if (!visible.showDeleted) where.push('NOT s.deleted');
    const seen: string[] = [];
    if (visible.owner !== undefined) seen.push(`s.owner = $${params.push(visible.owner)}`);
    if (visible.ids) seen.push(`s.id = ANY($${params.push(visible.ids)})`);
    where.push(`(${seen.join(' OR ') || 'FALSE'})`);
    if (visible.hasCredentials !== undefined)
      where.push(`${HAS_CREDENTIALS} = $${params.push(visible.hasCredentials)}`);
    const sql = listSql(query, COLUMNS, params);
    const from = `FROM ${SYSTEM_JOIN} WHERE ${where.join(' AND ')} AND (${sql.where})`;
    const rows = await this.database.query<SystemRow>(
      `SELECT ${SYSTEM_COLUMNS} ${from} AND ${sql.after} ${sql.orderBy} ${sql.page}`,
      params,
    );
    if (!query.computeTotal) return { rows };
    const [count] = await this.database.query<{ n: number }>(
      `SELECT count(*)::int AS n ${from}`,
      sql.countParams,
    );
    return { rows, total: count!.n };
  }
}
