import { Text } from '@libs/fields';

const TOKEN_LENGTH = 16_384;

/** What a client shows of itself; HTTP Basic is the other way. */
export class ClientFields {
  @Text({ optional: true, max: 80 }) client_id?: string;
  @Text({ optional: true, max: 80, trim: false, description: 'Or HTTP Basic' })
  client_key?: string;
}

/** What a grant needs; which of it depends on the grant (platform contract, 6.3). */
export class TokenRequest extends ClientFields {
  @Text({
    max: 60,
    description: 'password, authorization_code, refresh_token or device_code',
    example: 'password',
  })
  grant_type!: string;
  @Text({ optional: true, max: 120 }) username?: string;
  @Text({ optional: true, max: 1024, trim: false }) password?: string;
  @Text({ optional: true, max: 200, description: 'The callback_url that the code was sent to' })
  redirect_uri?: string;
  @Text({ optional: true, max: 200 }) code?: string;
  @Text({ optional: true, max: 200, description: 'PKCE (RFC 7636)' }) code_verifier?: string;
  @Text({ optional: true, max: 200 }) device_code?: string;
  @Text({ optional: true, max: TOKEN_LENGTH }) refresh_token?: string;
  @Text({ optional: true, max: 500 }) scope?: string;
}

export class DeviceRequest extends ClientFields {
  @Text({ optional: true, max: 500 }) scope?: string;
}

/** The person's own token, for whoever sends it in the body. */
export class V2Request {
  @Text({ optional: true, max: TOKEN_LENGTH }) access_token?: string;
}

export class RevokeRequest extends ClientFields {
  @Text({ max: TOKEN_LENGTH, description: 'An access or a refresh token' }) token!: string;
}

/** What the tokens service was handed, and the client that it names. */
export class RenewRequest {
  @Text({ max: 80 }) client_id!: string;
  @Text({ max: TOKEN_LENGTH }) refresh_token!: string;
}
