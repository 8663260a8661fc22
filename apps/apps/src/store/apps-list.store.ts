import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';
import {
  columnsOf,
  indexedAttribute,
  listSql,
  listStatements,
  type Columns,
  type ListQuery,
} from '@libs/search';
import { waysToSee, type VisibleResources } from '@libs/security-client';
import { attributes } from '../domain/list-spec';
import { APP_COLUMNS, type AppRow } from './app-row';

/** Which apps a list may show: those owned, and those others let this user see. */
export interface Visible extends VisibleResources {
  showDeleted: boolean;
  /** Every version that matches, not only the latest of each app. */
  allVersions: boolean;
}

/** Attributes with columns of their own; the others lie in `scalars`. */
const OWN = [
  'tenant',
  'id',
  'version',
  'owner',
  'enabled',
  'deleted',
  'versionEnabled',
  'locked',
  'uuid',
  'tags',
  'isPublic',
  'created',
  'updated',
];

const COLUMNS: Columns = columnsOf(
  attributes.filter((a) => OWN.includes(a.name)),
  {
    alias: 'v',
    overrides: {
      ...Object.fromEntries(
        attributes
          .filter(({ name, search }) => search && !OWN.includes(name))
          .map(({ name, type }) => [name, indexedAttribute('v.scalars', name, type as 'string')]),
      ),
      uuid: 'v.uuid::text',
      sharedWithUsers: 'v.shared_with',
      jobDescription: `(v.attributes->'jobAttributes'->>'description')`,
    },
  },
);

@Injectable()
export class AppsListStore {
  constructor(private readonly database: Database) {}

  async list(
    tenant: string,
    visible: Visible,
    query: ListQuery,
  ): Promise<{ rows: AppRow[]; total?: number }> {
    const { params, countParams, page, count } = this.statements(tenant, visible, query);
    const rows = await this.database.query<AppRow>(page, params);
    if (!query.computeTotal) return { rows };
    const [total] = await this.database.query<{ n: number }>(count, countParams);
    return { rows, total: total!.n };
  }

  /** Of these ids those that no live app has. */
  async gone(tenant: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM unnest($2::text[]) AS id
       WHERE NOT EXISTS (SELECT FROM apps a WHERE a.tenant = $1 AND a.id = id.id AND NOT a.deleted)`,
      [tenant, ids],
    );
    return rows.map(({ id }) => id);
  }

  /** What `list` sends: for tests that look at the plans. */
  statements(tenant: string, visible: Visible, query: ListQuery) {
    const params: unknown[] = [tenant];
    const where = ['v.tenant = $1'];
    if (!visible.showDeleted) where.push('NOT v.deleted');
    if (!visible.allVersions) where.push('v.latest');
    const alternatives = waysToSee(visible, 'v', params);
    const sql = listSql(query, COLUMNS, params);
    const from = { from: 'apps_versions v', alias: 'v', where, alternatives };
    const { page, count } = listStatements(from, sql);
    return {
      params,
      countParams: sql.countParams,
      page: `SELECT ${APP_COLUMNS} FROM ${page} ${sql.orderBy}`,
      count,
    };
  }
}
