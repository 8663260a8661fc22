import { createHash, randomBytes } from 'node:crypto';
import { tokens } from '@apps/tokens';
import { Database } from '@libs/database';
import { apiErrorFrom, NotReady, reply } from '@libs/envelope';
import {
  call,
  freshDatabase,
  PlatformDouble,
  until,
  type CallAnswer,
  type DoubleRequest,
} from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { Authorizations } from '../src/actions/authorizations';
import type { AuthorizationQuery } from '../src/domain/authorization';
import { authenticator } from '../src/service';

export const CALLBACK = 'https://portal.example.org/cb?from=platform';

/** What RFC 7636 has a client make up. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, challenge };
}

export const basic = (name: string, password: string) => ({
  authorization: `Basic ${btoa(`${name}:${password}`)}`,
});

export interface MadeClient {
  client_id: string;
  client_key: string;
}

/** An audit record as the tests look at it. */
export interface Recorded {
  event: string;
  outcome: string;
  status: number;
  username: string | null;
  client_id: string | null;
  grant_type: string | null;
  address: string;
}

/** What the authenticator needs: a real tokens service, the rest of the platform as doubles. */
export class AroundIt {
  private constructor(
    readonly double: PlatformDouble,
    private readonly tokensService: RunningService,
    private readonly tokensAt: Listening,
    /** What makes no tokens for people while it is true. */
    readonly away: { tokens: boolean },
  ) {}

  static async start(): Promise<AroundIt> {
    const double = await PlatformDouble.start();
    for (const tenant of double.directory.tenants.slice(1))
      Object.assign(tenant, { public_key: null, created_by: 'tenants@admin' });
    for (const tenant of ['dev', 'other'])
      double.security.giveRole('admin', 'authenticator', `${tenant}_token_generator`);
    const tokensService = await createService(
      tokens,
      double.env({
        LOG_LEVEL: 'silent',
        DATABASE_URL: freshDatabase(),
        SITE_ADMIN_PRIVATE_KEY: double.signer.privateKeyPem,
      }),
    );
    const tokensAt = await listen(tokensService.handler, '127.0.0.1', 0);
    await until(() => tokensService.ready());
    const away = { tokens: false };
    for (const [method, path] of [
      ['POST', '/v3/tokens'],
      ['PUT', '/v3/tokens'],
      ['POST', '/v3/tokens/revoke'],
      ['POST', '/v3/tokens/revoke/issued'],
      ['POST', '/v3/tokens/identity'],
      ['GET', '/v3/tokens/revoked'],
    ] as const)
      double.serve(method, path, (request) => {
        const { account_type } = request.body as { account_type?: string };
        if (away.tokens && account_type === 'user')
          throw new NotReady('TOKENS_AWAY', 'the tokens service is away');
        return forwarded(tokensAt.url, request);
      });
    return new AroundIt(double, tokensService, tokensAt, away);
  }

  /** Settings of the authenticator; failures lock nobody unless that is what is tried. */
  env(more: Record<string, string> = {}): Record<string, string | undefined> {
    const passwords = { testuser1: 'testuser1', testuser2: 'testuser2', admin: 'admin' };
    return this.double.env({
      LOG_LEVEL: 'silent',
      DATABASE_URL: freshDatabase(),
      SEED_ACCOUNTS: JSON.stringify({ dev: passwords }),
      LOGIN_FAILURES: '1000',
      ADDRESS_FAILURES: '10000',
      ...more,
    });
  }

  async stop(): Promise<void> {
    await this.tokensAt.close(100);
    await this.tokensService.close();
    await this.double.close();
  }
}

/** The authenticator in this process. */
export class OAuthService {
  private constructor(
    private readonly around: AroundIt,
    readonly service: RunningService,
    private readonly at: Listening,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<OAuthService> {
    const around = await AroundIt.start();
    const service = await createService(authenticator, around.env(env));
    const at = await listen(service.handler, '127.0.0.1', 0);
    // what the tokens service asks of this one
    around.double.serve('POST', '/v3/oauth2/tokens/renew', (request) => forwarded(at.url, request));
    return new OAuthService(around, service, at);
  }

  get double(): PlatformDouble {
    return this.around.double;
  }

  get away(): { tokens: boolean } {
    return this.around.away;
  }

  async stop(): Promise<void> {
    await this.at.close(100);
    await this.service.close();
    await this.around.stop();
  }

  get database(): Database {
    return this.service.get(Database);
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<CallAnswer> {
    return call(`${this.at.url}/v3/oauth2${path}`, { method, headers, body });
  }

  /** As a form, to the endpoint for libraries. */
  raw(
    path: string,
    values: Record<string, string | undefined>,
    headers: Record<string, string> = {},
  ): Promise<CallAnswer> {
    const given = Object.entries(values).filter((pair): pair is [string, string] => !!pair[1]);
    return this.send('POST', path, new URLSearchParams(given).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    });
  }

  async token(username = 'testuser1'): Promise<string> {
    const body = { grant_type: 'password', username, password: username };
    const answer = await this.send('POST', '/tokens', body);
    return answer.body.result.access_token.access_token;
  }

  async client(more: object = {}, user = 'testuser1'): Promise<MadeClient> {
    const body = { callback_url: CALLBACK, ...more };
    const answer = await this.send('POST', '/clients', body, await this.by(user));
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.result;
  }

  async by(user = 'testuser1'): Promise<Record<string, string>> {
    return { 'X-Svc-Token': await this.token(user) };
  }

  /** What the consent page does when the person says yes; answers where the browser would go. */
  async approved(query: AuthorizationQuery, user = 'testuser1'): Promise<URL> {
    const authorizations = this.service.get(Authorizations);
    const asked = await authorizations.check('dev', {
      response_type: 'code',
      redirect_uri: CALLBACK,
      ...query,
    });
    return new URL(await authorizations.approve(asked, { username: user }, '10.0.0.1'));
  }

  async code(query: AuthorizationQuery, user?: string): Promise<string> {
    return (await this.approved(query, user)).searchParams.get('code')!;
  }

  async records(): Promise<Recorded[]> {
    return this.database.query<Recorded>(
      'SELECT event, outcome, status, username, client_id, grant_type, address FROM auth_event ORDER BY id',
    );
  }

  async lastRecord(): Promise<Recorded> {
    return (await this.records()).at(-1)!;
  }

  async issued(): Promise<number> {
    const [row] = await this.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM issued_token',
    );
    return row!.n;
  }

  /** Whether a token opens anything: asked of a service that knows what is revoked. */
  async isGood(token: string): Promise<boolean> {
    const headers = { 'X-Svc-Token': token };
    return (await this.send('GET', '/userinfo', undefined, headers)).status === 200;
  }

  /** The tenant's config, changed by the authenticator itself: that needs no login. */
  config(change: object): Promise<CallAnswer> {
    const headers = this.double.asService('authenticator', 'admin', 'dev');
    return this.send('PUT', '/admin/config', change, headers);
  }
}

/** To the real tokens service; the double's own service tokens are what its callers have. */
async function forwarded(url: string, request: DoubleRequest): Promise<unknown> {
  const { method, path, headers, body } = request;
  const kept = Object.entries(headers).filter(
    ([name, value]) => typeof value === 'string' && /^(x-svc-|authorization|host)/.test(name),
  );
  const hasBody = Buffer.isBuffer(body) ? body.length > 0 : body !== undefined;
  const answer = await call(`${url}${path}`, {
    method,
    headers: Object.fromEntries(kept) as Record<string, string>,
    body: hasBody ? body : undefined,
  });
  if (answer.status >= 400) throw apiErrorFrom(answer.status, answer.body.message);
  return reply('TOKENS', 'forwarded', answer.body.result, { status: answer.status });
}
