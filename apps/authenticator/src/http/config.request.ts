import { Flag, Items, Json, Text, Whole } from '@libs/fields';
import { GRANT_TYPES, type GrantType } from '../domain/tenant-config';

const YEAR = 31_536_000;
const access = { optional: true, min: 1, max: YEAR, description: 'Seconds' };
const refresh = { optional: true, min: 1, max: 2 * YEAR, description: 'Seconds' };
const text = { optional: true, nullable: true, max: 2000 };

/** Members that are not given stay as they are. A secret that is given as it was shown, masked, stays too. */
export class ConfigRequest {
  @Items(GRANT_TYPES, { optional: true, unique: true }) allowable_grant_types?: GrantType[];
  @Flag({ optional: true }) use_ldap?: boolean;
  @Flag({ optional: true }) use_token_webapp?: boolean;
  @Json({ optional: true }) mfa_config?: Record<string, unknown>;
  @Whole(access) default_access_token_ttl?: number;
  @Whole(refresh) default_refresh_token_ttl?: number;
  @Whole(access) max_access_token_ttl?: number;
  @Whole(refresh) max_refresh_token_ttl?: number;
  @Json({ optional: true }) custom_idp_configuration?: Record<string, unknown>;
  @Text(text) token_url?: string | null;
  @Text(text) impers_oauth_client_id?: string | null;
  @Text(text) impers_oauth_client_secret?: string | null;
  @Text(text) impersadmin_username?: string | null;
  @Text(text) impersadmin_password?: string | null;
}

/** For the API document: the whole record. */
export class ConfigAnswer extends ConfigRequest {
  @Text() tenant_id!: string;
}
