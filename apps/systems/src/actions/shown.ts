import { etagOf } from '@libs/service-kit';
import { systemRecord, type SystemRecord } from '../domain/record';
import type { SystemAttributes } from '../domain/system';
import { usableMethods, type SystemRow } from '../store/system-row';

/** The attributes of a row, as rules look at them. */
export function attributesOf(row: SystemRow): SystemAttributes {
  const { id, owner, systemType, host, enabled, tags, attributes } = row;
  return { id, owner, systemType, host, enabled, tags, ...attributes } as SystemAttributes;
}

/** The row as its reader sees it. */
export function shown(row: SystemRow, user: string): SystemRecord {
  const { tenant, uuid, deleted, parentId, hostKeys, isPublic, sharedWithUsers, created, updated } =
    row;
  const kept = {
    tenant,
    uuid,
    deleted,
    parentId,
    hostKeys,
    isPublic,
    sharedWithUsers,
    created,
    updated,
  };
  return systemRecord(attributesOf(row), kept, {
    user,
    login: row.login,
    methods: usableMethods(row),
  });
}

export const etagOfSystem = (row: SystemRow): string =>
  etagOf(
    row.uuid,
    row.updated,
    row.hostKeys,
    row.login,
    usableMethods(row),
    row.isPublic,
    row.sharedWithUsers,
  );
