import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';
import {
  columnsOf,
  indexedAttribute,
  listSql,
  listStatements,
  type Column,
  type Columns,
  type ListQuery,
} from '@libs/search';
import { waysToSee, type VisibleResources } from '@libs/security-client';
import { UNLIMITED } from '../domain/logical-queue';
import { attributes } from '../domain/list-spec';
import { ADDRESS, SYSTEM_COLUMNS, SYSTEM_JOIN, type SystemRow } from './system-row';

/** Which systems a list may show: those owned, and those others let this user see. */
export interface Visible extends VisibleResources {
  showDeleted: boolean;
  hasCredentials?: boolean;
}

/** Attributes with columns of their own; the others lie in `scalars`. */
const OWN = [
  'tenant',
  'id',
  'uuid',
  'owner',
  'systemType',
  'host',
  'enabled',
  'deleted',
  'parentId',
  'isPublic',
  'tags',
  'created',
  'updated',
];

const scalar = (name: string) => `(s.scalars->>'${name}')`;
/** As it is shown: no limit is the largest number. Another number is found as it is stored. */
const limit = (name: string): Column => {
  const sql = `(CASE WHEN ${scalar(name)}::bigint < 0 THEN ${UNLIMITED} ELSE ${scalar(name)}::bigint END)`;
  return {
    sql,
    equals: (value, bind) =>
      Number(value) < 0 || value === UNLIMITED
        ? `${sql} = ${bind()}`
        : `s.scalars @> jsonb_build_object('${name}', ${bind()})`,
  };
};
const DYNAMIC = `(${scalar('effectiveUserId')} = '\${apiUserId}')`;
/** The credential of the user `$2` for system `s`; as `SYSTEM_JOIN` finds it. */
const CREDENTIAL = `systems_cred_info c WHERE c.system_seq_id = s.seq_id AND c.is_static = NOT ${DYNAMIC}
  AND c.svc_user = CASE WHEN c.is_static THEN ${scalar('effectiveUserId')} ELSE $2::text END`;
/** The logins that the user `$2` is mapped to, found once for all rows. */
const MAPPED = `systems_cred_info c WHERE c.svc_user = $2::text AND NOT c.is_static AND c.login_user IS NOT NULL`;
const LOGIN = `(CASE WHEN ${DYNAMIC} THEN coalesce(
    (SELECT jsonb_object_agg(c.system_seq_id, c.login_user) FROM ${MAPPED}) ->> s.seq_id::text, $2::text)
  ELSE ${scalar('effectiveUserId')} END)`;
const DYNAMIC_BY_INDEX = `(s.scalars @> '{"effectiveUserId": "\${apiUserId}"}')`;
/** The same as `LOGIN = login`, by indexes: the static ones, the mapped ones, and all others when it is the user's name. */
const loginIs = (login: string) =>
  `(s.scalars @> jsonb_build_object('effectiveUserId', ${login}) AND ${login} <> '\${apiUserId}'
    OR ${DYNAMIC_BY_INDEX} AND s.seq_id = ANY(ARRAY(SELECT c.system_seq_id FROM ${MAPPED} AND c.login_user = ${login}))
    OR ${login} = $2::text AND ${DYNAMIC_BY_INDEX} AND ${LOGIN} = ${login})`;
const HAS_CREDENTIALS = `EXISTS (SELECT FROM ${CREDENTIAL} AND ${scalar('defaultAuthnMethod')} = ANY(c.methods)
  AND c.address = ${ADDRESS})`;
const WITH_SOME = `s.seq_id IN (SELECT c.system_seq_id FROM systems_cred_info c WHERE c.is_static OR c.svc_user = $2::text)`;
/** Not compared with true or false: then the credentials may be looked at first. */
const hasCredentialsIs = (has: unknown) =>
  has ? `${WITH_SOME} AND ${HAS_CREDENTIALS}` : `NOT ${HAS_CREDENTIALS}`;

const COLUMNS: Columns = columnsOf(
  attributes.filter(({ name }) => OWN.includes(name)),
  {
    alias: 's',
    overrides: {
      ...Object.fromEntries(
        attributes
          .filter(({ name, search }) => search && !OWN.includes(name))
          .map(({ name, type }) => [name, indexedAttribute('s.scalars', name, type as 'string')]),
      ),
      uuid: 's.uuid::text',
      sharedWithUsers: 's.shared_with',
      effectiveUserId: {
        sql: LOGIN,
        equals: (_, bind) => loginIs(bind()),
      },
      isDynamicEffectiveUser: {
        sql: DYNAMIC,
        equals: (is) => `${is ? '' : 'NOT '}${DYNAMIC_BY_INDEX}`,
      },
      hasCredentials: { sql: HAS_CREDENTIALS, equals: hasCredentialsIs },
      jobMaxJobs: limit('jobMaxJobs'),
      jobMaxJobsPerUser: limit('jobMaxJobsPerUser'),
    },
  },
);

@Injectable()
export class SystemsListStore {
  constructor(private readonly database: Database) {}

  async list(
    tenant: string,
    user: string,
    visible: Visible,
    query: ListQuery,
  ): Promise<{ rows: SystemRow[]; total?: number }> {
    const { params, countParams, page, count } = this.statements(tenant, user, visible, query);
    const rows = await this.database.query<SystemRow>(page, params);
    if (!query.computeTotal) return { rows };
    const [total] = await this.database.query<{ n: number }>(count, countParams);
    return { rows, total: total!.n };
  }

  /** Of these ids those that no live system has. */
  async gone(tenant: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM unnest($2::text[]) AS id
       WHERE NOT EXISTS (SELECT FROM systems s WHERE s.tenant = $1 AND s.id = id.id AND NOT s.deleted)`,
      [tenant, ids],
    );
    return rows.map(({ id }) => id);
  }

  /** What `list` sends: for tests that look at the plans. */
  statements(tenant: string, user: string, visible: Visible, query: ListQuery) {
    const params: unknown[] = [tenant, user];
    // the user is bound in every statement, asked for or not
    const where = ['s.tenant = $1', '$2::text IS NOT NULL'];
    if (!visible.showDeleted) where.push('NOT s.deleted');
    if (visible.hasCredentials !== undefined) where.push(hasCredentialsIs(visible.hasCredentials));
    const alternatives = waysToSee(visible, 's', params);
    const sql = listSql(query, COLUMNS, params);
    const { page, count } = listStatements(
      { from: 'systems s', alias: 's', where, alternatives },
      sql,
    );
    return {
      params,
      countParams: sql.countParams,
      page: `SELECT ${SYSTEM_COLUMNS} FROM ${SYSTEM_JOIN.replace('systems s', page)} ${sql.orderBy}`,
      count,
    };
  }
}
