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

/** What an administrator may change, all or some of it. */
export type ConfigChange = Partial<Omit<TenantConfig, 'tenant_id'>>;

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

/** How long tokens of a tenant live: what is asked for, else the default, never more than the cap. */
export function lifetime(
  config: TenantConfig,
  kind: 'access' | 'refresh',
  asked?: number | null,
): number {
  const usual = config[`default_${kind}_token_ttl`];
  return Math.min(asked ?? usual, config[`max_${kind}_token_ttl`]);
}

/** Why a grant is refused, with the switch that opens it. */
export const switchedOff = (tenant: string): string =>
  `it is switched off in tenant ${tenant}. Its administrator switches it on with allowable_grant_types in PUT /v3/oauth2/admin/config.`;
