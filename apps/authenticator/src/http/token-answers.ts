import { Text, Part, Whole } from '@libs/fields';

/** For the API document: what a token is answered as. */
export class AccessTokenAnswer {
  @Text() access_token!: string;
  @Text({ description: 'ISO 8601' }) expires_at!: string;
  @Whole({ description: 'Seconds' }) expires_in!: number;
  @Text() jti!: string;
}

export class RefreshTokenAnswer {
  @Text() refresh_token!: string;
  @Text({ description: 'ISO 8601' }) expires_at!: string;
  @Whole({ description: 'Seconds' }) expires_in!: number;
  @Text() jti!: string;
}

export class TokenAnswer {
  @Part(AccessTokenAnswer) access_token!: AccessTokenAnswer;
  @Part(RefreshTokenAnswer, { optional: true }) refresh_token?: RefreshTokenAnswer;
}

export class DeviceAnswer {
  @Text() client_id!: string;
  @Text() device_code!: string;
  @Text({ description: 'For the person to type' }) user_code!: string;
  @Text({ description: 'Where the person types it' }) verification_uri!: string;
  @Text() verification_uri_complete!: string;
  @Whole({ description: 'Seconds' }) expires_in!: number;
  @Text({ description: 'ISO 8601' }) expires_at!: string;
  @Whole({ description: 'Seconds between two questions' }) interval!: number;
}
