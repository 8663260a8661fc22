import { randomUUID } from 'node:crypto';
import {
  call,
  freshDatabase,
  PageBrowser,
  PlatformDouble,
  type CallOptions,
  type DoubleRequest,
} from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { authenticator } from '../../src/service';

interface Order {
  account_type: string;
  token_tenant_id: string;
  token_username: string;
  access_token_ttl: number;
  refresh_token_ttl?: number;
  generate_refresh_token?: boolean;
  claims: Record<string, unknown>;
}

/** The authenticator over HTTP, with doubles of the services around it: tokens are made, and refreshed, for real. */
export class Setting {
  readonly revoked: string[] = [];

  private constructor(
    readonly double: PlatformDouble,
    readonly service: RunningService,
    readonly at: Listening,
  ) {}

  /** `people`: more accounts of tenant dev, each with its name and `-password` as the password. */
  static async start(env: Record<string, string> = {}, people: string[] = []): Promise<Setting> {
    const double = await PlatformDouble.start();
    double.security.makeAdmin('dev', 'admin');
    double.security.giveRole('admin', 'admin', '$~site_admin');
    const accounts = {
      dev: { ...passwords(['ann', 'bob', ...people]), admin: 'admin' },
      admin: { admin: 'admin', guest: 'guest', systems: 'systems' },
      other: { ann: 'other-password' },
    };
    const service = await createService(
      authenticator,
      double.env({
        LOG_LEVEL: 'silent',
        DATABASE_URL: freshDatabase(),
        SEED_ACCOUNTS: JSON.stringify(accounts),
        ...env,
      }),
    );
    const setting = new Setting(double, service, await listen(service.handler, '127.0.0.1', 0));
    double.serve('POST', '/v3/tokens', (request) => setting.made(request));
    double.serve('PUT', '/v3/tokens', ({ body }) => setting.again(body as object));
    double.serve('POST', '/v3/tokens/revoke', ({ body }) => {
      setting.revoked.push((body as { token: string }).token);
      return null;
    });
    double.serve('POST', '/v3/tokens/revoke/issued', () => null);
    return setting;
  }

  hostOf(tenant = 'dev'): string {
    const found = this.double.directory.tenants.find((t) => t.tenant_id === tenant)!;
    return new URL(found.base_url).host;
  }

  browser(tenant = 'dev'): PageBrowser {
    return new PageBrowser(this.at.url, this.hostOf(tenant));
  }

  /** A browser that has logged in. */
  async loggedIn(username = 'ann', password = `${username}-password`): Promise<PageBrowser> {
    const browser = await this.browser().open('/v3/oauth2/login?to=account');
    await browser.submit({ username, password });
    return browser;
  }

  ask(path: string, options: CallOptions = {}, tenant = 'dev') {
    const headers = { host: this.hostOf(tenant), ...options.headers };
    return call(`${this.at.url}/v3/oauth2${path}`, { ...options, headers });
  }

  /** As somebody of tenant dev with a token. */
  as(user: string, path: string, options: CallOptions = {}) {
    return this.ask(path, { ...options, headers: { ...this.double.as(user), ...options.headers } });
  }

  /** Changes the tenant's config, as its administrator does. */
  async configure(change: object): Promise<void> {
    const answer = await this.as('admin', '/admin/config', { method: 'PUT', body: change });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  async close(): Promise<void> {
    await this.at.close(100);
    await this.service.close();
    await this.double.close();
  }

  private made({ body }: DoubleRequest): object {
    const order = body as Order;
    const { token_username: user, token_tenant_id: tenant, access_token_ttl: ttl } = order;
    if (order.account_type === 'service')
      return { access_token: kept(this.double.serviceToken(user, { ttl }), ttl) };
    const access = this.double.userToken(user, tenant, { ttl, claims: order.claims });
    return {
      access_token: kept(access, ttl),
      ...(order.generate_refresh_token && { refresh_token: this.refreshToken(order) }),
    };
  }

  private refreshToken(order: Order): object {
    const { token_username: user, token_tenant_id: tenant, refresh_token_ttl: ttl = 600 } = order;
    const claims = {
      'svc/token_type': 'refresh',
      'svc/access_token': { ...order.claims, 'svc/username': user, order },
    };
    const token = this.double.userToken(user, tenant, { ttl, claims });
    const expires_at = new Date(Date.now() + ttl * 1000).toISOString();
    return { refresh_token: token, expires_at, expires_in: ttl, jti: randomUUID() };
  }

  private again(body: object): object {
    const { refresh_token } = body as { refresh_token: string };
    const said = JSON.parse(
      Buffer.from(refresh_token.split('.')[1]!, 'base64url').toString(),
    ) as Record<string, { order: Order }>;
    return this.made({ body: said['svc/access_token']!.order } as unknown as DoubleRequest);
  }
}

const kept = (access_token: string, expires_in: number) => ({
  access_token,
  expires_at: new Date(Date.now() + expires_in * 1000).toISOString(),
  expires_in,
  jti: randomUUID(),
});

const passwords = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, `${name}-password`]));
