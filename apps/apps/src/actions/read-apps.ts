import { Injectable } from '@nestjs/common';
import { Tenants, type Caller } from '@libs/auth';
import { Forbidden, reply } from '@libs/envelope';
import { listMetadata, listQuery, mentions, parseSelect, pick } from '@libs/search';
import { AppAccess } from '../clients/app-access';
import { missing } from '../domain/missing';
import { attributes, listSpec } from '../domain/list-spec';
import type { AppRow } from '../store/app-row';
import { AppsListStore } from '../store/apps-list.store';
import { AppsStore } from '../store/apps.store';
import { etagOfApp, shown } from './shown';

type RawQuery = Record<string, string | string[]>;

export interface ReadOptions {
  select?: string;
  requireExecPerm: boolean;
  impersonationId?: string;
  resourceTenant?: string;
}

/** The service that reads apps to run them. */
const JOB_RUNNER = 'jobs';

/** Apps as callers see them: one, or a list. */
@Injectable()
export class ReadApps {
  constructor(
    private readonly apps: AppsStore,
    private readonly lists: AppsListStore,
    private readonly access: AppAccess,
    private readonly tenants: Tenants,
  ) {}

  /** The row of a live app that the caller may read. */
  async readable(caller: Caller, id: string, version?: string): Promise<AppRow> {
    const row = await this.live(caller, id, version);
    await this.access.assertMayRead(caller, row);
    return row;
  }

  async live({ tenant }: Caller, id: string, version?: string): Promise<AppRow> {
    const row = await this.apps.find(tenant, id, version);
    if (!row || row.deleted) throw missing(tenant, id, version);
    return row;
  }

  async get(caller: Caller, id: string, version: string | undefined, query: ReadOptions) {
    const reader = await this.reader(caller, query);
    const row = query.resourceTenant
      ? await this.live(reader, id, version)
      : await this.readable(reader, id, version);
    if (query.requireExecPerm && !query.resourceTenant)
      await this.access.assertMayExecute(reader, row);
    const select = parseSelect(query.select, { attributes });
    const record = pick(select, shown(row, reader.user));
    return reply('APPAPI_FOUND', `version "${row.version}" of app "${id}"`, record, {
      etag: etagOfApp(row),
    });
  }

  /** `conditions`: the query may hold search conditions; `body`: those of a POST search. */
  async list(caller: Caller, raw: RawQuery, source: { conditions?: boolean; body?: unknown } = {}) {
    const query = listQuery(raw, listSpec, source);
    const reader = await this.reader(caller, { impersonationId: one(raw['impersonationId']) });
    const visible = {
      ...(await this.access.visible(reader, query.listType)),
      showDeleted: one(raw['showDeleted'])?.toLowerCase() === 'true',
      allVersions: mentions(query.where, 'version'),
    };
    await this.forgetGone(reader.tenant, visible.ids ?? []);
    const { rows, total } = await this.lists.list(reader.tenant, visible, query);
    const records = rows.map((row) => pick(query.select, shown(row, reader.user)));
    return reply('APPAPI_FOUND', `${records.length} apps`, records, {
      metadata: listMetadata(query, records.length, total),
    });
  }

  private async forgetGone(tenant: string, ids: readonly string[]): Promise<void> {
    const named = ids.filter((id) => id !== '*');
    if (named.length) await this.access.forgetGone(tenant, await this.lists.gone(tenant, named));
  }

  /** Whose eyes the caller looks through: the service that runs jobs and tenant admins may use another's. */
  private async reader(
    caller: Caller,
    { impersonationId, resourceTenant }: Partial<ReadOptions>,
  ): Promise<Caller> {
    const service = caller.accountType === 'service' ? (caller.service ?? '') : undefined;
    const refuse = (parameter: string) =>
      new Forbidden(
        'APPLIB_UNAUTH',
        `${service ?? caller.user}@${caller.tenant} may not use ${parameter}.`,
      );
    if (resourceTenant) {
      if (!this.speaksForItself(caller, resourceTenant)) throw refuse('resourceTenant');
      return { ...caller, tenant: resourceTenant, user: impersonationId ?? caller.user };
    }
    if (!impersonationId || impersonationId === caller.user) return caller;
    const allowed =
      service === undefined ? await this.access.isAdmin(caller) : service === JOB_RUNNER;
    if (!allowed) throw refuse('impersonationId');
    return { ...caller, user: impersonationId };
  }

  /** The service that runs jobs, in its own name: it has looked itself whether its user may. */
  private speaksForItself(caller: Caller, tenant: string): boolean {
    const itself = caller.tenant === caller.jwtTenant && caller.user === caller.jwtUser;
    return (
      caller.service === JOB_RUNNER && itself && this.tenants.mayActFor(caller.jwtTenant, tenant)
    );
  }
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
