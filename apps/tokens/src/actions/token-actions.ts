import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Tenants, TokenVerifier, type Caller } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { decodeJwt } from 'jose';
import { Authenticator } from '../clients/authenticator';
import { accessClaims, type TokenSubject } from '../domain/claims';
import type { SignedToken } from '../domain/signer';
import { TokensStore } from '../store/tokens.store';
import { SigningKeys } from './signing-keys';

const YEAR = 31_536_000;
export const LONGEST_ACCESS = YEAR;
export const LONGEST_REFRESH = 2 * YEAR;

export interface Lifetimes {
  accessSeconds: number;
  /** Present when a refresh token is wanted. */
  refreshSeconds?: number;
}

interface RefreshClaims {
  jti: string;
  exp: number;
  tenant: string;
  access: Record<string, unknown> & { ttl: number };
  initialTtl: number;
}

/** Makes, refreshes and revokes tokens; who may ask for them is decided before. */
@Injectable()
export class TokenActions {
  constructor(
    private readonly tenants: Tenants,
    private readonly keys: SigningKeys,
    private readonly tokens: TokensStore,
    private readonly verifier: TokenVerifier,
    private readonly authenticator: Authenticator,
  ) {}

  async create(subject: TokenSubject, lifetimes: Lifetimes) {
    const { answer, refresh } = await this.pair(subject.tenant, accessClaims(subject), lifetimes);
    if (refresh) await this.tokens.addRefresh({ ...refresh, family: randomUUID() });
    return answer;
  }

  /**
   * A new pair with the lifetimes of the first; the old refresh token is used up. Whether the login of an OAuth client
   * goes on the authenticator decides, whoever hands the token in: client, person or grant may be stopped by now.
   */
  async refresh(token: string, caller?: Caller) {
    const old = await this.refreshClaims(token);
    const { ttl, ...claims } = old.access;
    const client = claims[platform().claim('client_id')];
    if (typeof client === 'string' && caller?.service !== 'authenticator') {
      const user = String(claims[platform().claim('username')]);
      const body = { client_id: client, refresh_token: token };
      return this.authenticator.renew(old.tenant, user, body);
    }
    const count = platform().claim('refresh_count');
    const next = { ...claims, [count]: Number(claims[count] ?? 0) + 1 };
    const lifetimes = { accessSeconds: ttl, refreshSeconds: old.initialTtl };
    const { answer, refresh } = await this.pair(old.tenant, next, lifetimes);
    const outcome = await this.tokens.rotate(old.jti, refresh!);
    if (outcome === 'rotated') return answer;
    throw invalid(
      outcome === 'reused'
        ? 'it was used before; all tokens of its login are revoked'
        : 'it is revoked or unknown',
    );
  }

  async revoke(token: string): Promise<void> {
    const type = decoded(token)[platform().claim('token_type')];
    if (type === 'refresh') {
      const { jti, exp } = await this.refreshClaims(token);
      return this.tokens.revoke(jti, exp, true);
    }
    const { jti, exp } = await this.verifier.verify(token);
    await this.tokens.revoke(jti, exp, false);
  }

  private async pair(
    tenantId: string,
    claims: Record<string, unknown>,
    { accessSeconds, refreshSeconds }: Lifetimes,
  ) {
    const signer = await this.keys.signerFor(tenantId);
    const issuer = this.tenants.tenant(tenantId)!.token_service;
    const claim = (name: string) => platform().claim(name);
    const counted = refreshSeconds ? { [claim('refresh_count')]: 0, ...claims } : claims;
    const access = await signer.sign(counted, issuer, accessSeconds);
    const answer: Record<string, object> = {
      access_token: shown('access_token', access, accessSeconds),
    };
    if (!refreshSeconds) return { answer };
    const refresh = await signer.sign(
      {
        sub: claims['sub'],
        [claim('tenant_id')]: tenantId,
        [claim('token_type')]: 'refresh',
        [claim('initial_ttl')]: refreshSeconds,
        [claim('access_token')]: { ...counted, ttl: accessSeconds },
      },
      issuer,
      refreshSeconds,
    );
    answer['refresh_token'] = shown('refresh_token', refresh, refreshSeconds);
    const row = {
      jti: refresh.jti,
      access_jti: access.jti,
      access_exp: new Date(access.exp * 1000),
      expires: new Date(refresh.exp * 1000),
    };
    return { answer, refresh: row };
  }

  private async refreshClaims(token: string): Promise<RefreshClaims> {
    const claim = (name: string) => platform().claim(name);
    const tenant = this.tenants.tenant(String(decoded(token)[claim('tenant_id')]));
    const payload = tenant && (await this.verifier.payloadOf(token, tenant));
    if (!payload) throw invalid('it has expired or is not one of ours');
    if (payload[claim('token_type')] !== 'refresh') throw invalid('it is not a refresh token');
    return {
      jti: payload.jti!,
      exp: payload.exp!,
      tenant: tenant.tenant_id,
      access: payload[claim('access_token')] as RefreshClaims['access'],
      initialTtl: payload[claim('initial_ttl')] as number,
    };
  }
}

const invalid = (why: string) =>
  new BadInput('TOKENS_REFRESH_TOKEN', `The refresh token is refused: ${why}.`);

function decoded(token: string): Record<string, unknown> {
  try {
    return decodeJwt(token);
  } catch {
    throw new BadInput('TOKENS_MALFORMED', 'The token is not a JWT.');
  }
}

function shown(name: string, { token, jti, exp }: SignedToken, seconds: number) {
  return {
    [name]: token,
    expires_at: new Date(exp * 1000).toISOString(),
    expires_in: seconds,
    jti,
  };
}
