import { etagOf } from '@libs/service-kit';
import type { AppRow } from '../store/app-row';

/** The row as its reader sees it. Whoever has it by a share uses it in the name of the owner (`sharedAppCtx`). */
export function shown(row: AppRow, reader: string) {
  const { tenant, id, version, owner, enabled, versionEnabled, locked, uuid, deleted } = row;
  const { isPublic, sharedWithUsers, created, updated } = row;
  const lent = reader !== owner && (isPublic || sharedWithUsers.includes(reader));
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
    created,
    updated,
    isPublic,
    sharedWithUsers,
    sharedAppCtx: lent ? owner : null,
  };
}

export const etagOfApp = (row: AppRow): string =>
  etagOf(row.uuid, row.updated, row.enabled, row.versionEnabled, row.locked, row.owner);
