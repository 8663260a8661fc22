import type { Caller } from '@libs/auth';
import type { ListMetadata } from '@libs/envelope';
import { fieldsOf } from '@libs/fields';
import { JobsStore } from '@libs/jobs-store';
import { columnsOf, listMetadata, listQuery, listSql, type ListSpec } from '@libs/search';
import { SecurityClient } from '@libs/security-client';
import { Injectable } from '@nestjs/common';
import { JobAttributes } from '../domain/job-attributes';
import { attributesToRead, jobRecord, type KnownJob } from '../domain/job-record';

type Query = Record<string, string | string[]>;

const attributes = fieldsOf(JobAttributes);
const SPEC: ListSpec = {
  attributes,
  unique: ['uuid'],
  select: { always: ['uuid'], fallback: 'summary', unknown: 'refuse' },
  listTypes: ['MY_JOBS', 'SHARED_JOBS', 'ALL_JOBS'],
  order: 'lastUpdated',
  maxLimit: 1000,
  bareEquals: true,
  codes: {
    query: 'JOBS_LIST_INVALID_QUERY',
    search: 'JOBS_SEARCH_INVALID_CONDITION',
    select: 'JOBS_SEARCH_INVALID_SELECTLIST_ERROR',
    orderBy: 'JOBS_SEARCH_INVALID_ORDERBY_ERROR',
    listType: 'JOBS_SEARCH_INVALID_LISTTYPE_ERROR',
  },
};
const COLUMNS = columnsOf(attributes, {
  alias: 'j',
  overrides: { archiveOnAppError: `(j.archive_mode = 'ALWAYS')` },
});
const SUMMARY = attributes.filter((a) => a.summary).map((a) => a.name);

export interface JobList {
  jobs: Record<string, unknown>[];
  metadata: ListMetadata;
}

/** Lists and searches, always inside the caller's tenant and among visible jobs. */
@Injectable()
export class ListActions {
  constructor(
    private readonly store: JobsStore,
    private readonly security: SecurityClient,
  ) {}

  /** Summaries, without conditions. */
  list(caller: Caller, query: Query): Promise<JobList> {
    return this.read(caller, query, {}, SUMMARY);
  }

  search(caller: Caller, query: Query, body?: unknown): Promise<JobList> {
    return this.read(caller, query, body === undefined ? { conditions: true } : { body });
  }

  private async read(
    caller: Caller,
    rawQuery: Query,
    source: { conditions?: boolean; body?: unknown },
    only?: readonly string[],
  ): Promise<JobList> {
    const query = listQuery(rawQuery, SPEC, source);
    const params: unknown[] = [caller.tenant];
    const whose = await this.whose(caller, query.listType, params);
    const { where, after, orderBy, page, countParams } = listSql(query, COLUMNS, params);
    const mine = `j.tenant = $1 and j.visible and ${whose}`;
    const select = only ?? query.select;
    const found = await this.store.list({
      attributes: attributesToRead(select),
      where: `${mine} and ${where} and ${after}`,
      tail: `${orderBy} ${page}`,
      params,
    });
    const total = query.computeTotal
      ? await this.store.count({ where: `${mine} and ${where}`, params: countParams })
      : undefined;
    const jobs = found.map((job) => jobRecord(job as KnownJob, select));
    return { jobs, metadata: listMetadata(query, jobs.length, total) };
  }

  /** The condition for whose jobs are meant: the caller's own, those shared with them, or both. */
  private async whose({ tenant, user }: Caller, listType: string | undefined, params: unknown[]) {
    const own = () => `j.owner = $${params.push(user)}`;
    if (listType === 'MY_JOBS') return own();
    const shares = await this.security.shares({
      tenant,
      grantee: user,
      resourceType: 'JOB_HISTORY',
      privilege: 'READ',
    });
    const shared = `j.uuid = any($${params.push(shares.map((s) => s.resourceId1))}::text[])`;
    return listType === 'SHARED_JOBS' ? shared : `(${own()} or ${shared})`;
  }
}
