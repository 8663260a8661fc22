/** Every way to a token that a tenant may allow (platform contract, 6.6). */
export const GRANT_TYPES = [
  'password',
  'implicit',
  'authorization_code',
  'refresh_token',
  'device_code',
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** Discouraged by RFC 9700: off until a tenant switches them on. */
export const DISCOURAGED: readonly GrantType[] = ['password', 'implicit'];

/** What a tenant decides about logging in to it. Secrets in it are there for those who need them, never in an answer. */
export interface TenantConfig {
  tenant_id: string;
  allowable_grant_types: GrantType[];
  use_ldap: boolean;
  use_token_webapp: boolean;
  mfa_config: Record<string, unknown>;
  default_access_token_ttl: number;
  default_refresh_token_ttl: number;
  max_access_token_ttl: number;
  max_refresh_token_ttl: number;
  custom_idp_configuration: Record<string, unknown>;
  token_url: string | null;
  impers_oauth_client_id: string | null;
  impers_oauth_client_secret: string | null;
  impersadmin_username: string | null;
  impersadmin_password: string | null;
}

const YEAR = 31_536_000;

/** What holds for a tenant that has decided nothing; `open` switches the discouraged grants on. */
export function defaultConfig(tenant: string, open: boolean, accessSeconds: number): TenantConfig {
  return {
    tenant_id: tenant,
    allowable_grant_types: GRANT_TYPES.filter((type) => open || !DISCOURAGED.includes(type)),
    use_ldap: true,
    use_token_webapp: true,
    mfa_config: {},
    default_access_token_ttl: accessSeconds,
    default_refresh_token_ttl: YEAR,
    max_access_token_ttl: YEAR,
    max_refresh_token_ttl: 2 * YEAR,
    custom_idp_configuration: {},
    token_url: null,
    impers_oauth_client_id: null,
    impers_oauth_client_secret: null,
    impersadmin_username: null,
    impersadmin_password: null,
  };
}
