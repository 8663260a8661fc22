import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';
import { columnsOf, jsonAttribute, listSql, type Columns, type ListQuery } from '@libs/search';
import type { VisibleResources } from '@libs/security-client';
import { attributes } from '../domain/list-spec';
import { APP_COLUMNS, APP_JOIN, type AppRow } from './app-row';

/** Which apps a list may show: those owned, and those others let this user see. */
export interface Visible extends VisibleResources {
  showDeleted: boolean;
  /** Every version that matches, not only the latest of each app. */
  allVersions: boolean;
}

/** Attributes with columns of their own; the others lie in the version's document. */
const OWN_NAMES = new Set(['version', 'versionEnabled', 'locked', 'tags', 'created']);

@Injectable()
export class AppsListStore {
  constructor(private readonly database: Database) {}

  async list(
    tenant: string,
    visible: Visible,
    query: ListQuery,
  ): Promise<{ rows: AppRow[]; total?: number }> {
    const params: unknown[] = [tenant];
    const where = ['a.tenant = $1'];
    if (!visible.showDeleted) where.push('NOT a.deleted');
    if (!visible.allVersions) where.push('v.version = a.latest_version');
    const seen: string[] = [];
    if (visible.owner !== undefined) seen.push(`a.owner = $${params.push(visible.owner)}`);
    if (visible.ids) seen.push(`a.id = ANY($${params.push(visible.ids)})`);
    where.push(`(${seen.join(' OR ') || 'FALSE'})`);
    const sql = listSql(query, COLUMNS, params);
    const from = `FROM ${APP_JOIN} WHERE ${where.join(' AND ')} AND (${sql.where})`;
    const rows = await this.database.query<AppRow>(
      `SELECT ${APP_COLUMNS} ${from} AND ${sql.after} ${sql.orderBy} ${sql.page}`,
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

const COLUMNS: Columns = columnsOf(
  attributes.filter((a) => OWN_NAMES.has(a.name)),
  {
    alias: 'v',
    overrides: {
      ...Object.fromEntries(
        attributes
          .filter(({ name, search }) => search && !OWN_NAMES.has(name))
          .map(({ name, type, ofJob }) => {
            const document = ofJob ? "v.attributes->'jobAttributes'" : 'v.attributes';
            return [name, jsonAttribute(document, name, type as 'string')];
          }),
      ),
      id: 'a.id',
      tenant: 'a.tenant',
      owner: 'a.owner',
      enabled: 'a.enabled',
      deleted: 'a.deleted',
      updated: 'greatest(a.updated, v.updated)',
    },
  },
);
