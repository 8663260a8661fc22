import type { Site } from '../domain/site';
import type { Stored, StoredTenant } from '../store/registry.store';

/** Times of the registry are in HTTP-date form (mission). */
const times = (row: Stored<unknown>) => ({
  create_time: row.created.toUTCString(),
  last_update_time: row.updated.toUTCString(),
  created_by: row.created_by,
  last_updated_by: row.updated_by,
});

export const siteRecord = (row: Stored<Site>) => ({ ...row.record, ...times(row) });

export const tenantRecord = (row: StoredTenant) => ({
  ...row.record,
  allowable_x_tenant_ids: [row.record.tenant_id],
  is_owned_by_associate_site: !row.owned_by_primary,
  ...times(row),
});
