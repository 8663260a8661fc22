import { addressOf } from '../domain/address';
import type { AuthnMethod } from '../domain/credential';
import type { SystemAttributes, SystemType } from '../domain/system';

/** What has no column of its own. */
export type SystemDocument = Omit<
  SystemAttributes,
  'id' | 'owner' | 'systemType' | 'host' | 'enabled' | 'tags'
>;

/** A system as one user sees it: `login` and `methods` belong to the credential that this user would log in with. */
export interface SystemRow {
  seqId: string;
  tenant: string;
  id: string;
  uuid: string;
  owner: string;
  systemType: SystemType;
  host: string;
  enabled: boolean;
  deleted: boolean;
  parentId: string | null;
  tags: string[];
  attributes: SystemDocument;
  hostKeys: string[];
  /** A copy for showing; who may do what is asked of the security kernel. */
  isPublic: boolean;
  sharedWithUsers: string[];
  created: Date;
  updated: Date;
  login: string | null;
  methods: AuthnMethod[] | null;
  /** The address for which that credential was given; it is used at no other. */
  givenFor: string | null;
}

export const addressOfRow = ({ host, attributes }: SystemRow): string =>
  addressOf({ host, port: attributes.port });

/** What there is to log in with; nothing when the system was moved since by somebody whose move the credential does not follow. */
export const usableMethods = (row: SystemRow): AuthnMethod[] =>
  row.givenFor === addressOfRow(row) ? (row.methods ?? []) : [];

/** `addressOf` of row `s` in SQL. */
export const ADDRESS = `(s.host || ' ' || coalesce(s.attributes->>'port', '-1'))`;

export const SYSTEM_COLUMNS = `s.seq_id AS "seqId", s.tenant, s.id, s.uuid, s.owner, s.system_type AS "systemType",
  s.host, s.enabled, s.deleted, s.parent_id AS "parentId", s.tags, s.attributes, s.host_keys AS "hostKeys",
  s.is_public AS "isPublic", s.shared_with AS "sharedWithUsers",
  s.created, s.updated, c.login_user AS login, c.methods, c.address AS "givenFor"`;

/** `$2` is the user: of a dynamic system it is their credential, of a static one that of its login. */
export const SYSTEM_JOIN = `systems s LEFT JOIN systems_cred_info c ON c.system_seq_id = s.seq_id
  AND c.is_static = (s.attributes->>'effectiveUserId' <> '\${apiUserId}')
  AND c.svc_user = CASE WHEN c.is_static THEN s.attributes->>'effectiveUserId' ELSE $2 END`;
