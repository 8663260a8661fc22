import { createPublicKey, randomUUID } from 'node:crypto';
import { keyId } from '@libs/auth';
import { importPKCS8, SignJWT, type CryptoKey } from 'jose';

export interface SignedToken {
  token: string;
  jti: string;
  /** Seconds since 1970. */
  exp: number;
}

/** Signs with one RSA key; the key's thumbprint is its id. */
export class Signer {
  private constructor(
    private readonly key: CryptoKey,
    readonly kid: string,
    /** PEM */
    readonly publicKey: string,
  ) {}

  static async of(privateKey: string): Promise<Signer> {
    const publicKey = createPublicKey(privateKey)
      .export({ type: 'spki', format: 'pem' })
      .toString();
    return new Signer(await importPKCS8(privateKey, 'RS256'), await keyId(publicKey), publicKey);
  }

  async sign(
    claims: Record<string, unknown>,
    issuer: string,
    seconds: number,
    now = Date.now(),
  ): Promise<SignedToken> {
    const jti = randomUUID();
    const exp = Math.floor(now / 1000) + seconds;
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: this.kid })
      .setJti(jti)
      .setIssuer(issuer)
      .setExpirationTime(exp)
      .sign(this.key);
    return { token, jti, exp };
  }
}
