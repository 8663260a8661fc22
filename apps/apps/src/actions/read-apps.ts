import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Forbidden, reply } from '@libs/envelope';
import { listMetadata, listQuery, mentions, parseSelect, pick } from '@libs/search';
import { etagOf } from '@libs/service-kit';
import { AppAccess } from '../clients/app-access';
import { missing } from '../domain/missing';
import { attributes, listSpec } from '../domain/list-spec';
import type { AppRow } from '../store/app-row';
import { AppsListStore } from '../store/apps-list.store';
import { AppsStore } from '../store/apps.store';

type RawQuery = Record<string, string | string[]>;
const SHARE_FIELDS = ['isPublic', 'sharedWithUsers'];

export const etagOfApp = (row: AppRow): string =>
  etagOf(row.uuid, row.updated, row.enabled, row.versionEnabled, row.locked, row.owner);

/** Apps as callers see them: one, or a list. */
@Injectable()
export class ReadApps {
  constructor(
    private readonly apps: AppsStore,
    private readonly lists: AppsListStore,
    private readonly access: AppAccess,
  ) {}

  /** The row of a live app that the caller may read. */
  async readable(caller: Caller, id: string, version?: string): Promise<AppRow> {
    const row = await this.apps.find(caller.tenant, id, version);
    if (!row || row.deleted) throw missing(caller.tenant, id, version);
    await this.access.assertMayRead(caller, row);
    return row;
  }

  async get(
    caller: Caller,
    id: string,
    version: string | undefined,
    query: { select?: string; requireExecPerm: boolean; impersonationId?: string },
  ) {
    const reader = await this.reader(caller, query.impersonationId);
    const row = await this.readable(reader, id, version);
    if (query.requireExecPerm) await this.access.assertMayExecute(reader, row);
    const select = parseSelect(query.select, { attributes });
    const record = await this.shown(row, select, reader);
    return reply('APPAPI_FOUND', `version "${row.version}" of app "${id}"`, pick(select, record), {
      etag: etagOfApp(row),
    });
  }

  /** `conditions`: the query may hold search conditions; `body`: those of a POST search. */
  async list(caller: Caller, raw: RawQuery, source: { conditions?: boolean; body?: unknown } = {}) {
    const query = listQuery(raw, listSpec, source);
    const reader = await this.reader(caller, one(raw['impersonationId']));
    const visible = {
      ...(await this.access.visible(reader, query.listType)),
      showDeleted: one(raw['showDeleted'])?.toLowerCase() === 'true',
      allVersions: mentions(query.where, 'version'),
    };
    const { rows, total } = await this.lists.list(reader.tenant, visible, query);
    const records = await Promise.all(
      rows.map(async (row) => pick(query.select, await this.shown(row, query.select, reader))),
    );
    return reply('APPAPI_FOUND', `${records.length} apps`, records, {
      metadata: listMetadata(query, records.length, total),
    });
  }

  /** Services that run jobs, and tenant admins, may look through somebody else's eyes. */
  private async reader(caller: Caller, impersonationId: string | undefined): Promise<Caller> {
    if (!impersonationId || impersonationId === caller.user) return caller;
    const allowed =
      caller.accountType === 'service'
        ? caller.service === 'jobs'
        : await this.access.isAdmin(caller);
    if (!allowed)
      throw new Forbidden(
        'APPLIB_UNAUTH',
        `${caller.user}@${caller.tenant} may not use impersonationId.`,
      );
    return { ...caller, user: impersonationId };
  }

  private async shown(row: AppRow, select: readonly string[], reader: Caller) {
    const asked =
      SHARE_FIELDS.some((f) => select.includes(f)) ||
      (select.includes('sharedAppCtx') && reader.user !== row.owner);
    const sharing = asked
      ? await this.access.sharing(row)
      : { isPublic: false, sharedWithUsers: [] as string[] };
    const shared =
      reader.user !== row.owner &&
      (sharing.isPublic || sharing.sharedWithUsers.includes(reader.user));
    const { tenant, id, version, owner, enabled, deleted, versionEnabled, locked, uuid } = row;
    return {
      tenant,
      id,
      version,
      owner,
      enabled,
      versionEnabled,
      locked,
      ...row.attributes,
      uuid,
      deleted,
      created: row.created,
      updated: row.updated,
      ...sharing,
      sharedAppCtx: shared ? owner : null,
    };
  }
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
