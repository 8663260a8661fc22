import { Choice, Items, Text } from '@libs/fields';

const ID = /^[a-zA-Z0-9-]*$/;
export const TENANT_STATUSES = ['DRAFT', 'ACTIVE', 'INACTIVE'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

const URL_LENGTH = 2000;
const KEY_LENGTH = 10_000;

/** A public key that verifies tokens of the tenant; `kid` is its thumbprint. */
export class TenantKey {
  @Text({ max: 100 }) kid!: string;
  @Text({ max: KEY_LENGTH, multiline: true }) public_key!: string;
}

/** A tenant (platform contract, 3.3). */
export class Tenant {
  @Text({ max: 50, match: ID }) tenant_id!: string;
  @Text({ max: URL_LENGTH }) base_url!: string;
  @Text({ max: 50 }) site_id!: string;
  @Choice(TENANT_STATUSES, { anyCase: true, default: 'DRAFT' }) status!: TenantStatus;
  @Text({ max: URL_LENGTH }) token_service!: string;
  @Text({ max: URL_LENGTH }) security_kernel!: string;
  @Text({ max: URL_LENGTH }) authenticator!: string;
  @Text({ max: 120, description: 'Contact' }) owner!: string;
  @Text({ max: 120, description: 'First tenant administrator' }) admin_user!: string;
  @Items(String, { description: 'Services that may make tokens for its users' })
  token_gen_services!: string[];
  @Text({ max: 50, nullable: true, default: null }) service_ldap_connection_id!: string | null;
  @Text({ max: 50, nullable: true, default: null }) user_ldap_connection_id!: string | null;
  @Text({ max: KEY_LENGTH, multiline: true, nullable: true, default: null, description: 'PEM' })
  public_key!: string | null;
  @Items(TenantKey, { default: [], description: 'Every key that still verifies, the newest first' })
  public_keys!: TenantKey[];
  @Text({ max: 1000, default: '' }) description!: string;
}

/** What the tokens service may change of a tenant: its keys and, with the first key, its status. */
export class TenantKeys {
  @Text({ max: KEY_LENGTH, multiline: true }) public_key!: string;
  @Items(TenantKey, { maxItems: 20 }) public_keys!: TenantKey[];
  @Choice(TENANT_STATUSES, { anyCase: true, optional: true }) status?: TenantStatus;
}
