import { createPublicKey, randomUUID } from 'node:crypto';
import { keyId } from '@libs/auth';
import { importPKCS8, SignJWT, type CryptoKey } from 'jose';

export interface SignedToken {
  token: string;
  jti: string;
  /** Seconds since 1970. */
  exp: number;
}

/** Told before a key signs: until when its public half will be needed. */
export type BeforeSigning = (kid: string, exp: number) => Promise<void>;

/** Signs with one RSA key; the key's thumbprint is its id. */
export class Signer {
  private constructor(
    private readonly key: CryptoKey,
    readonly kid: string,
    /** PEM */
    readonly publicKey: string,
    private readonly before?: BeforeSigning,
  ) {}

  static async of(privateKey: string, before?: BeforeSigning): Promise<Signer> {
    const publicKey = createPublicKey(privateKey)
      .export({ type: 'spki', format: 'pem' })
      .toString();
    const key = await importPKCS8(privateKey, 'RS256');
    return new Signer(key, await keyId(publicKey), publicKey, before);
  }

  async sign(
    claims: Record<string, unknown>,
    issuer: string,
    seconds: number,
    now = Date.now(),
  ): Promise<SignedToken> {
    const jti = randomUUID();
    const exp = Math.floor(now / 1000) + seconds;
    await this.before?.(this.kid, exp);
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: this.kid })
      .setJti(jti)
      .setIssuer(issuer)
      .setExpirationTime(exp)
      .sign(this.key);
    return { token, jti, exp };
  }
}
