import { Choice, Items, OmitType, PartialType, Text } from '@libs/fields';
import { ADDRESS, addressOf, ID, ID_RULE, isReserved, WEB_URL } from './names';
import { isRsaKey, KEY_LENGTH, TenantKey } from './tenant-key';
import { TENANT_STATUSES, type TenantStatus } from './tenant-status';

/** A tenant (platform contract, 3.3). */
export class Tenant {
  @Text({ max: 50, match: ID, rule: ID_RULE }) tenant_id!: string;
  @Text(ADDRESS) base_url!: string;
  @Text({ max: 50, description: 'The site that owns it' }) site_id!: string;
  @Choice(TENANT_STATUSES, { anyCase: true, default: 'DRAFT' }) status!: TenantStatus;
  @Text(WEB_URL) token_service!: string;
  @Text(WEB_URL) security_kernel!: string;
  @Text(WEB_URL) authenticator!: string;
  @Text({ max: 120, description: 'E-mail address of a registered owner' }) owner!: string;
  @Text({ max: 120, description: 'First tenant administrator' }) admin_user!: string;
  @Items(String, { max: 50, description: 'Services that may make tokens for its users' })
  token_gen_services!: string[];
  @Text({ max: 50, nullable: true, default: null, description: 'An LDAP record' })
  service_ldap_connection_id!: string | null;
  @Text({ max: 50, nullable: true, default: null, description: 'An LDAP record' })
  user_ldap_connection_id!: string | null;
  @Text({ max: KEY_LENGTH, multiline: true, nullable: true, default: null, description: 'PEM' })
  public_key!: string | null;
  @Items(TenantKey, {
    default: [],
    maxItems: 100,
    description: 'Every key that still verifies, the newest first; written by the tokens service',
  })
  public_keys!: TenantKey[];
  @Text({ max: 1000, default: '' }) description!: string;
}

/** The keys beside the newest one come with rotation, never with the tenant. */
export class NewTenant extends OmitType(Tenant, ['public_keys']) {}

export class TenantPatch extends PartialType(
  OmitType(Tenant, ['tenant_id', 'base_url', 'site_id']),
) {}

/** Rules that need nothing but the body; looks at whatever of it is there. */
export function brokenTenantRules(tenant: Partial<Tenant>): string[] {
  const broken: string[] = [];
  const { tenant_id, public_key, public_keys = [], status } = tenant;
  if (isReserved(tenant_id)) broken.push(`tenant_id: "${tenant_id}" is a reserved word`);
  if (typeof public_key === 'string' && !isRsaKey(public_key))
    broken.push('public_key: must be an RSA public key of 2048 bits or more in PEM form');
  if (Array.isArray(public_keys) && public_keys.some((key) => !isRsaKey(key?.public_key)))
    broken.push('public_keys: each must be an RSA public key of 2048 bits or more in PEM form');
  const draft = status === undefined || String(status).toUpperCase() === 'DRAFT';
  if (tenant_id !== undefined && !draft && typeof public_key !== 'string')
    broken.push(`public_key: is missing, which the status ${status} needs; only a DRAFT has none`);
  return broken;
}

export type Changes = Record<string, { prev: unknown; new: unknown }>;

/** Which attributes the patch really changes, with their values before and after. */
export function changesOf(tenant: Tenant, patch: Partial<Tenant>): Changes {
  const changes: Changes = {};
  for (const [name, value] of Object.entries(patch)) {
    const prev = tenant[name as keyof Tenant] ?? null;
    if (value !== undefined && JSON.stringify(prev) !== JSON.stringify(value))
      changes[name] = { prev, new: value };
  }
  return changes;
}

/** A key given alone becomes the only one: whoever rotates says which earlier ones still count. */
export const withKeys = (patch: Partial<Tenant>): Partial<Tenant> =>
  patch.public_key && !patch.public_keys ? { ...patch, public_keys: [] } : patch;

export const tidyTenant = <T extends { base_url: string }>(tenant: T): T => ({
  ...tenant,
  base_url: addressOf(tenant.base_url) ?? tenant.base_url,
});
