import { hash } from 'node:crypto';
import { Unauthenticated } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import {
  calculateJwkThumbprint,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  importSPKI,
  jwtVerify,
} from 'jose';
import type { CryptoKey, JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { AccountType } from './caller';
import { keysOf, type TenantEntry } from './directory';
import type { Revocations } from './revocations';
import type { Tenants } from './tenants';

/** A token whose signature, times and claims were found good; the request's headers were not looked at yet. */
export interface CheckedToken {
  hash: string;
  jti: string;
  /** Seconds. */
  exp: number;
  tenant: string;
  user: string;
  accountType: AccountType;
  delegator: string | null;
  targetSite: string | null;
  audiences: string[];
}

const REMEMBERED = 20_000;
const refused = (name: string, text: string) => new Unauthenticated(platform().code(name), text);
const nonBlank = (value: unknown): value is string => typeof value === 'string' && !!value.trim();

interface Key {
  kid: string;
  key: CryptoKey;
}

/** The key id of a public key: its RFC 7638 thumbprint, so a key names itself. */
export async function keyId(publicKeyPem: string): Promise<string> {
  const key = await importSPKI(publicKeyPem, 'RS256', { extractable: true });
  return calculateJwkThumbprint(await exportJWK(key));
}

/**
 * Checks 2 to 8 of the contract for one token, in their order. A good token is remembered by its hash until it
 * expires, is revoked or its tenant's keys change; only then is the signature computed again.
 */
export class TokenVerifier {
  private readonly known = new LRUCache<string, CheckedToken>({ max: REMEMBERED });
  private keys = new Map<string, Promise<Key[]>>();

  constructor(
    private readonly tenants: Tenants,
    private readonly revocations: Revocations,
    private readonly now: () => number = Date.now,
  ) {
    tenants.onChange(() => {
      this.known.clear();
      this.keys = new Map();
    });
  }

  /** The remembered outcome for this very token, without waiting. */
  recall(token: string): CheckedToken | undefined {
    const checked = this.known.get(hash('sha256', token, 'base64url'));
    if (!checked || checked.exp * 1000 <= this.now() || this.revocations.has(checked.jti)) return;
    return checked;
  }

  /** The checked token, or Unauthenticated that says which check failed. */
  async verify(token: string): Promise<CheckedToken> {
    const recalled = this.recall(token);
    if (recalled) return recalled;
    const { claims, header } = this.parse(token);
    const tenant = await this.tenantOf(claims);
    if (header.alg !== 'RS256')
      throw refused('TOKEN_ALGORITHM', 'The token is not signed with RS256');
    await this.checkSignature(token, tenant, header.kid);
    const checked = this.checkClaims(token, claims, tenant);
    if (this.revocations.has(checked.jti)) throw refused('TOKEN_REVOKED', 'The token is revoked');
    this.known.set(checked.hash, checked);
    return checked;
  }

  private parse(token: string) {
    let parsed;
    try {
      parsed = { claims: decodeJwt(token), header: decodeProtectedHeader(token) };
    } catch {
      throw refused('TOKEN_MALFORMED', 'The token is not a JWT');
    }
    if (typeof parsed.claims.exp !== 'number' || parsed.claims.exp * 1000 <= this.now())
      throw refused('TOKEN_EXPIRED', 'The token has expired');
    return parsed;
  }

  private async tenantOf(claims: JWTPayload): Promise<TenantEntry> {
    const id = claims[platform().claim('tenant_id')];
    if (!nonBlank(id)) throw refused('TOKEN_TENANT', 'The token names no tenant');
    await this.tenants.ensureLoaded();
    let tenant = this.tenants.tenant(id);
    if (!tenant && (await this.tenants.look())) tenant = this.tenants.tenant(id);
    if (!tenant) throw refused('TOKEN_TENANT', "The token's tenant is not known");
    return tenant;
  }

  private async checkSignature(token: string, tenant: TenantEntry, kid?: string): Promise<void> {
    if (!kid) throw refused('TOKEN_SIGNATURE', 'The token does not name the key that signed it');
    if (await this.signedBy(token, tenant, kid)) return;
    if (await this.tenants.look()) {
      const again = this.tenants.tenant(tenant.tenant_id);
      if (again && (await this.signedBy(token, again, kid))) return;
    }
    throw refused('TOKEN_SIGNATURE', "The token's signature is not valid");
  }

  private async signedBy(token: string, tenant: TenantEntry, kid: string): Promise<boolean> {
    return (await this.payload(token, tenant, kid)) !== undefined;
  }

  /** What a token of any type says, if one of the tenant's keys signed it and it is good at this moment. */
  async payloadOf(token: string, tenant: TenantEntry): Promise<JWTPayload | undefined> {
    try {
      const { kid, alg } = decodeProtectedHeader(token);
      return kid && alg === 'RS256' ? await this.payload(token, tenant, kid) : undefined;
    } catch {
      return undefined;
    }
  }

  private async payload(
    token: string,
    tenant: TenantEntry,
    kid: string,
  ): Promise<JWTPayload | undefined> {
    const named = (await this.keysFor(tenant)).find((k) => k.kid === kid);
    if (!named) return undefined;
    try {
      const options = { algorithms: ['RS256'], currentDate: new Date(this.now()) };
      return (await jwtVerify(token, named.key, options)).payload;
    } catch {
      return undefined;
    }
  }

  private keysFor(tenant: TenantEntry): Promise<Key[]> {
    let keys = this.keys.get(tenant.tenant_id);
    if (!keys) {
      keys = Promise.all(
        keysOf(tenant).map(async (pem) => ({
          kid: await keyId(pem),
          key: await importSPKI(pem, 'RS256'),
        })),
      );
      this.keys.set(tenant.tenant_id, keys);
    }
    return keys;
  }

  private checkClaims(token: string, claims: JWTPayload, tenant: TenantEntry): CheckedToken {
    const claim = (name: string) => claims[platform().claim(name)];
    if (claim('token_type') !== 'access')
      throw refused('TOKEN_TYPE', 'The token is not an access token');
    const accountType = claim('account_type');
    if (accountType !== 'user' && accountType !== 'service')
      throw refused('TOKEN_ACCOUNT_TYPE', "The token's account type is neither user nor service");
    const user = claim('username');
    if (!nonBlank(user)) throw refused('TOKEN_USERNAME', 'The token names no user');
    if (!nonBlank(claims.jti)) throw refused('TOKEN_MALFORMED', 'The token has no jti');
    const aud = claims.aud ?? [];
    return {
      hash: hash('sha256', token, 'base64url'),
      jti: claims.jti,
      exp: claims.exp as number,
      tenant: tenant.tenant_id,
      user,
      accountType,
      delegator: this.delegator(claim('delegation'), claim('delegation_sub'), tenant),
      targetSite: nonBlank(claim('target_site')) ? (claim('target_site') as string) : null,
      audiences: Array.isArray(aud) ? aud : [aud],
    };
  }

  private delegator(delegation: unknown, sub: unknown, tenant: TenantEntry): string | null {
    if (delegation !== true) return null;
    const of = typeof sub === 'string' ? /^[^@\s]+@([^@\s]+)$/.exec(sub) : null;
    if (!of) throw refused('TOKEN_DELEGATION', 'The delegation subject is not user@tenant');
    if (!this.tenants.mayActFor(tenant.tenant_id, of[1]!))
      throw refused(
        'TOKEN_DELEGATION',
        "The token's tenant may not act for the delegation subject's tenant",
      );
    return sub as string;
  }
}
