import { Injectable } from '@nestjs/common';
import { keyId, keysOf, type TenantEntry } from '@libs/auth';
import { exportJWK, importSPKI, type JWK } from 'jose';
import { TenantConfigs } from './tenant-configs';

const CLIENT_AUTH = ['client_secret_basic', 'client_secret_post', 'none'];

/** What a tenant's server is and can, in the words of RFC 8414 and OpenID Connect Discovery. */
@Injectable()
export class Discovery {
  constructor(private readonly configs: TenantConfigs) {}

  async server({ tenant_id: tenant, base_url }: TenantEntry): Promise<Record<string, unknown>> {
    const { allowable_grant_types: types } = await this.configs.of(tenant);
    const at = `${base_url}/v3/oauth2`;
    const device = types.includes('device_code');
    return {
      issuer: at,
      authorization_endpoint: `${at}/authorize`,
      token_endpoint: `${at}/tokens/oidc`,
      jwks_uri: `${at}/jwks`,
      registration_endpoint: `${at}/clients`,
      revocation_endpoint: `${at}/tokens/revoke/oidc`,
      ...(device ? { device_authorization_endpoint: `${at}/device/code/oidc` } : {}),
      response_types_supported: [
        ...(types.includes('authorization_code') ? ['code'] : []),
        ...(types.includes('implicit') ? ['token'] : []),
      ],
      response_modes_supported: ['query', 'fragment'],
      grant_types_supported: types.map((type) =>
        type === 'device_code' ? 'urn:ietf:params:oauth:grant-type:device_code' : type,
      ),
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: CLIENT_AUTH,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ['openid'],
    };
  }

  async openid(tenant: TenantEntry): Promise<Record<string, unknown>> {
    return {
      ...(await this.server(tenant)),
      userinfo_endpoint: `${tenant.base_url}/v3/oauth2/userinfo/oidc`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: [
        'sub',
        'iss',
        'aud',
        'exp',
        'iat',
        'nonce',
        'email',
        'name',
        'given_name',
        'family_name',
        'preferred_username',
        'phone_number',
      ],
    };
  }

  /** Every key whose signatures are still good, the newest first. */
  async keys(tenant: TenantEntry): Promise<JWK[]> {
    return Promise.all(
      keysOf(tenant).map(async (pem) => {
        const { kty, n, e } = await exportJWK(
          await importSPKI(pem, 'RS256', { extractable: true }),
        );
        return { kty, use: 'sig', alg: 'RS256', kid: await keyId(pem), n, e };
      }),
    );
  }
}
