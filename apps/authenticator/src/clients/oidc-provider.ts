import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { BadInput, Upstream } from '@libs/envelope';
import type { OidcSettings } from '../domain/identity-providers';
import type { OutsideHttp } from './outside-http';

/** What we make for one login and the provider must give back or repeat. */
export interface LoginProof {
  redirectUri: string;
  nonce: string;
  /** PKCE: sent with the code, its hash before. */
  verifier: string;
}

interface Endpoints {
  issuer?: string;
  authorize: string;
  token: string;
  userinfo?: string;
  jwks?: string;
  /** The secret goes into the body instead of a header. */
  secretInBody: boolean;
}

const KEPT_MS = 600_000;
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
];
type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** What is known of providers: it need not be asked at every login. */
export class KnownProviders {
  readonly endpoints = new LRUCache<string, Endpoints>({ max: 500, ttl: KEPT_MS });
  readonly keySets = new LRUCache<string, KeySet>({ max: 500 });
}

/** An OpenID provider outside: we are its client (OpenID Connect Core, 3.1). */
export class OidcProvider {
  constructor(
    private readonly settings: OidcSettings,
    private readonly http: OutsideHttp,
    private readonly known: KnownProviders,
  ) {}

  async authorizeUrl(challenge: string, state: string, proof: LoginProof): Promise<string> {
    const url = new URL((await this.endpoints()).authorize);
    const query = {
      response_type: 'code',
      client_id: this.settings.client_id,
      redirect_uri: proof.redirectUri,
      scope: this.settings.scope ?? 'openid profile email',
      state,
      nonce: proof.nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /** The name of whoever logged in there: preferred_username, else the e-mail address. */
  async username(code: string, issuer: string | undefined, proof: LoginProof): Promise<string> {
    const endpoints = await this.endpoints();
    if (issuer && endpoints.issuer && issuer !== endpoints.issuer)
      throw refused(`the answer is from another issuer, "${issuer.slice(0, 200)}"`);
    const tokens = await this.tokens(endpoints, code, proof);
    const claims = await this.identity(endpoints, tokens, proof.nonce);
    const known = nameIn(claims) ?? nameIn(await this.userinfo(endpoints, tokens, claims.sub));
    if (known) return known;
    throw refused('neither preferred_username nor a verified email is in the answer');
  }

  private async tokens(endpoints: Endpoints, code: string, proof: LoginProof) {
    const { client_id, client_secret } = this.settings;
    const basic = client_secret !== undefined && !endpoints.secretInBody;
    const encoded = [client_id, client_secret ?? ''].map(encodeURIComponent).join(':');
    const { status, body } = await this.http.post(
      endpoints.token,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: proof.redirectUri,
        code_verifier: proof.verifier,
        ...(basic ? {} : { client_id, ...(client_secret && { client_secret }) }),
      },
      basic ? { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` } : {},
    );
    if (status !== 200)
      throw refused(`it takes the code for no token (${status} ${word(body['error'])})`);
    return body;
  }

  /** The identity token's claims, all checks passed; empty when explicit addresses name no keys to check with. */
  private async identity(
    { issuer, jwks }: Endpoints,
    tokens: Record<string, unknown>,
    nonce: string,
  ): Promise<JWTPayload> {
    if (!jwks) return {};
    const { client_id: audience } = this.settings;
    let keys = this.known.keySets.get(jwks);
    if (!keys) {
      keys = createRemoteJWKSet(new URL(jwks), {
        [customFetch]: (url: string) => this.http.fetch(url),
      });
      this.known.keySets.set(jwks, keys);
    }
    const options = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: 60 };
    const requiredClaims = ['sub', 'exp', 'iat', ...(issuer ? ['iss'] : [])];
    const { payload } = await jwtVerify(String(tokens['id_token'] ?? ''), keys, {
      ...options,
      requiredClaims,
    }).catch((error: Error) => {
      throw refused(`its identity token is not good: ${error.message}`, error);
    });
    if (payload['nonce'] !== nonce) throw refused('its identity token is of another login');
    if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload['azp'] !== audience)
      throw refused('its identity token is for somebody else');
    return payload;
  }

  private async userinfo(
    { userinfo }: Endpoints,
    tokens: Record<string, unknown>,
    sub: string | undefined,
  ): Promise<Record<string, unknown>> {
    if (!userinfo) return {};
    const authorization = `Bearer ${String(tokens['access_token'] ?? '')}`;
    const { status, body } = await this.http.get(userinfo, { authorization });
    if (status !== 200) throw refused(`it says nothing about the person (${status})`);
    if (sub !== undefined && body['sub'] !== sub) throw refused('it speaks of another person');
    return body;
  }

  private async endpoints(): Promise<Endpoints> {
    const { issuer, identity_redirect_url, oauth2_token_url, user_info_url, jwks_url } =
      this.settings;
    const found = issuer ? await this.discover(issuer) : undefined;
    const authorize = identity_redirect_url ?? found?.authorize;
    const token = oauth2_token_url ?? found?.token;
    const userinfo = user_info_url ?? found?.userinfo;
    const jwks = jwks_url ?? found?.jwks;
    if (!authorize || !token || !(userinfo || jwks))
      throw new Upstream(
        'AUTHENTICATOR_IDP_ADDRESSES',
        'The identity provider of this tenant has no address to log in, for tokens, or to ask about people.',
      );
    return { authorize, token, userinfo, jwks, issuer, secretInBody: !!found?.secretInBody };
  }

  private async discover(issuer: string): Promise<Endpoints> {
    const known = this.known.endpoints.get(issuer);
    if (known) return known;
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { status, body } = await this.http.get(address);
    if (status !== 200 || body['issuer'] !== issuer)
      throw new Upstream(
        'AUTHENTICATOR_IDP_DISCOVERY',
        `${address} answers ${status} and names the issuer "${word(body['issuer'])}".`,
      );
    const url = (name: string) =>
      typeof body[name] === 'string' && URL.canParse(body[name]) ? body[name] : undefined;
    const methods = body['token_endpoint_auth_methods_supported'];
    const endpoints: Endpoints = {
      issuer,
      authorize: url('authorization_endpoint') ?? '',
      token: url('token_endpoint') ?? '',
      userinfo: url('userinfo_endpoint'),
      jwks: url('jwks_uri'),
      secretInBody: Array.isArray(methods) && !methods.includes('client_secret_basic'),
    };
    this.known.endpoints.set(issuer, endpoints);
    return endpoints;
  }
}

/** An address that the provider has not verified may be anybody's. */
function nameIn(claims: Record<string, unknown>): string | undefined {
  const { preferred_username, email, email_verified } = claims;
  if (typeof preferred_username === 'string' && preferred_username) return preferred_username;
  return typeof email === 'string' && email && email_verified !== false ? email : undefined;
}

const word = (value: unknown): string => String(value ?? '').slice(0, 200);

export const refused = (why: string, cause?: unknown): BadInput =>
  Object.assign(
    new BadInput('AUTHENTICATOR_IDP_LOGIN', `The identity provider let nobody in: ${why}.`),
    { cause },
  );
