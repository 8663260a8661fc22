import type { VersionAttributes } from '../domain/app';

/** A version of an app, with what all versions of the app have in common. */
export interface AppRow {
  appSeqId: string;
  seqId: string;
  tenant: string;
  id: string;
  version: string;
  owner: string;
  enabled: boolean;
  deleted: boolean;
  versionEnabled: boolean;
  locked: boolean;
  uuid: string;
  attributes: VersionAttributes;
  /** A copy for showing; who may do what is asked of the security kernel. */
  isPublic: boolean;
  sharedWithUsers: string[];
  created: Date;
  updated: Date;
}

/** Of `apps_versions v`: it has copies of what all versions have in common, so that lists read one table. */
export const APP_COLUMNS = `v.app_seq_id AS "appSeqId", v.seq_id AS "seqId", v.tenant, v.id, v.version, v.owner,
  v.enabled, v.deleted, v.version_enabled AS "versionEnabled", v.locked, v.uuid, v.attributes,
  v.is_public AS "isPublic", v.shared_with AS "sharedWithUsers", v.created, v.updated`;
