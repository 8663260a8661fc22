import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { keyId } from '@libs/auth';
import { platform } from '@libs/platform-name';

export interface TokenSpec {
  tenant: string;
  user: string;
  accountType?: 'user' | 'service';
  /** Service tokens: the site they may be used at. */
  targetSite?: string;
  /** Seconds from now; negative for an expired one. */
  ttl?: number;
  issuer?: string;
  /** Put over the claims made from the rest; undefined takes one away. */
  claims?: Record<string, unknown>;
  /** Put over the header. */
  header?: Record<string, unknown>;
}

const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** An RSA key pair that signs tokens as the tokens service does, and tokens that are wrong in chosen ways. */
export class TokenSigner {
  readonly publicKey: string;
  readonly privateKeyPem: string;
  private readonly privateKey: KeyObject;
  private kid?: string;

  constructor() {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = pair.privateKey;
    this.privateKeyPem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    this.publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  async init(): Promise<this> {
    this.kid = await keyId(this.publicKey);
    return this;
  }

  token(spec: TokenSpec): string {
    const { tenant, user, accountType = 'user', ttl = 3600, targetSite, issuer } = spec;
    const claim = (name: string) => platform().claim(name);
    const claims = {
      sub: `${user}@${tenant}`,
      exp: Math.floor(Date.now() / 1000) + ttl,
      jti: randomUUID(),
      iss: issuer ?? 'http://localhost/v3/tokens',
      [claim('tenant_id')]: tenant,
      [claim('username')]: user,
      [claim('account_type')]: accountType,
      [claim('token_type')]: 'access',
      [claim('delegation')]: false,
      [claim('delegation_sub')]: null,
      ...(accountType === 'service' ? { [claim('target_site')]: targetSite ?? 'primary' } : {}),
      ...spec.claims,
    };
    const header = {
      alg: 'RS256',
      typ: 'JWT',
      ...(this.kid ? { kid: this.kid } : {}),
      ...spec.header,
    };
    const signed = `${base64url(header)}.${base64url(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), this.privateKey).toString('base64url');
    return `${signed}.${signature}`;
  }
}
