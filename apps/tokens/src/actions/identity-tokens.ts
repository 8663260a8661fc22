import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { SigningKeys } from './signing-keys';

/** What an identity token may say of a person beside who it is. */
const CLAIMS = [
  'nonce',
  'auth_time',
  'email',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'phone_number',
];

/** Tells a client who has logged in (OpenID Connect Core, 2); it opens nothing by itself. */
@Injectable()
export class IdentityTokens {
  constructor(
    private readonly tenants: Tenants,
    private readonly keys: SigningKeys,
  ) {}

  /** Signed with the tenant's key; its issuer is the authenticator of the tenant (ruling 54). */
  async make(
    tenantId: string,
    user: string,
    { audience, seconds, claims }: { audience: string; seconds: number; claims: object },
  ): Promise<string> {
    const refused = Object.keys(claims).filter((name) => !CLAIMS.includes(name));
    if (refused.length) {
      throw new BadInput(
        'TOKENS_CLAIMS',
        `These claims are not for an identity token: ${refused.join(', ')}.`,
      );
    }
    const signer = await this.keys.signerFor(tenantId);
    const said = {
      ...claims,
      sub: `${user}@${tenantId}`,
      aud: audience,
      iat: Math.floor(Date.now() / 1000),
      [platform().claim('token_type')]: 'identity',
    };
    const issuer = `${this.tenants.tenant(tenantId)!.base_url}/v3/oauth2`;
    return (await signer.sign(said, issuer, seconds)).token;
  }
}
