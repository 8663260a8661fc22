import type { Site } from '../domain/site';
import type { Stored } from '../store/stored';
import type { HistoryRow, StoredTenant } from '../store/tenants.store';

/** Times of the registry are in HTTP-date form (mission). */
const times = (row: Stored<unknown>) => ({
  create_time: row.created.toUTCString(),
  last_update_time: row.updated.toUTCString(),
});
const authors = (row: Stored<unknown>) => ({
  created_by: row.created_by,
  last_updated_by: row.updated_by,
});

export const siteRecord = (row: Stored<Site>) => ({
  ...row.record,
  ...times(row),
  ...authors(row),
});

export const tenantRecord = (row: StoredTenant) => ({
  ...row.record,
  allowable_x_tenant_ids: [row.record.tenant_id],
  is_owned_by_associate_site: !row.owned_by_primary,
  ...times(row),
  ...authors(row),
});
export type TenantRecord = ReturnType<typeof tenantRecord>;

export const contactRecord = <T extends object>(row: Stored<T>) => ({
  ...row.record,
  ...times(row),
});

export const historyRecord = ({ tenant_id, updated, updated_by, updates }: HistoryRow) => ({
  tenant_id,
  update_time: updated.toUTCString(),
  updated_by,
  updates,
});
