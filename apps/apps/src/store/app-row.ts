import type { VersionAttributes } from '../domain/app';

/** An app joined with one of its versions. */
export interface AppRow {
  appSeqId: string;
  seqId: string;
  tenant: string;
  id: string;
  version: string;
  latestVersion: string;
  owner: string;
  enabled: boolean;
  deleted: boolean;
  versionEnabled: boolean;
  locked: boolean;
  uuid: string;
  attributes: VersionAttributes;
  created: Date;
  updated: Date;
}

export const APP_COLUMNS = `a.seq_id AS "appSeqId", v.seq_id AS "seqId", a.tenant, a.id, v.version,
  a.latest_version AS "latestVersion", a.owner, a.enabled, a.deleted, v.version_enabled AS "versionEnabled",
  v.locked, v.uuid, v.attributes, v.created, greatest(a.updated, v.updated) AS updated`;

export const APP_JOIN = 'apps a JOIN apps_versions v ON v.app_seq_id = a.seq_id';
