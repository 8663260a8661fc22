import { Choice, Flag, Json, Text, Whole } from '@libs/fields';

export class NewToken {
  @Choice(['user', 'service']) account_type!: 'user' | 'service';
  @Text({ max: 50 }) token_tenant_id!: string;
  @Text({ max: 120 }) token_username!: string;
  @Text({
    optional: true,
    max: 50,
    description: 'Service tokens: where they are good; default the site of the tenant',
  })
  target_site_id?: string;
  @Flag({ default: false }) delegation_token!: boolean;
  @Text({ optional: true, max: 50 }) delegation_sub_tenant_id?: string;
  @Text({ optional: true, max: 120 }) delegation_sub_username?: string;
  @Whole({ optional: true, description: 'Seconds; 300 when absent or not above 0' })
  access_token_ttl?: number;
  @Flag({ default: false }) generate_refresh_token!: boolean;
  @Whole({ optional: true, description: 'Seconds; 600 when absent or not above 0' })
  refresh_token_ttl?: number;
  @Json({ optional: true, description: 'Claims to add' }) claims?: Record<string, unknown>;
}

const TOKEN_LENGTH = 16_384;

export class RefreshRequest {
  @Text({ max: TOKEN_LENGTH }) refresh_token!: string;
}

export class RevokeRequest {
  @Text({ max: TOKEN_LENGTH }) token!: string;
}

export class KeyRequest {
  @Text({ max: 50 }) tenant_id!: string;
}
