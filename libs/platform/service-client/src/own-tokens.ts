import { apiErrorFrom, NotReady, type Envelope } from '@libs/envelope';
import type { Tenants } from '@libs/auth';
import type { ServiceSettings } from '@libs/config';
import { platform } from '@libs/platform-name';
import type { Transport } from './transport';

/** The tokens this service calls others with, one per target site. */
export abstract class OwnTokens {
  /** A token good for some seconds more at least. */
  abstract token(targetSite: string): Promise<string>;
  /** Called when a service refused the token: the next one is new. */
  abstract forget(targetSite: string): void;
}

const TTL_S = 14_400;
const TIMEOUT_MS = 10_000;
/** Renewed in time so that a tokens service that is away for half an hour goes unnoticed. */
const RENEW_BEFORE_MS = 30 * 60_000;
const LEAST_LEFT_MS = 5_000;
const RETRY_AFTER_MS = 8_000;

interface Held {
  token: string;
  expiresAt: number;
  renewAt: number;
}

interface TokenResult {
  access_token: { access_token: string; expires_in: number };
}

/** Gets service tokens from the site's tokens service with the service's password, and renews them ahead of time. */
export class PasswordTokens extends OwnTokens {
  private readonly held = new Map<string, Held>();
  private readonly asking = new Map<string, Promise<Held>>();

  constructor(
    private readonly service: string,
    private readonly settings: ServiceSettings,
    private readonly tenants: Tenants,
    private readonly transport: Transport,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  async token(targetSite: string): Promise<string> {
    const held = this.held.get(targetSite);
    if (!held || held.expiresAt - this.now() < LEAST_LEFT_MS)
      return (await this.ask(targetSite)).token;
    if (held.renewAt <= this.now()) {
      held.renewAt = this.now() + RETRY_AFTER_MS;
      void this.ask(targetSite).catch(() => undefined);
    }
    return held.token;
  }

  forget(targetSite: string): void {
    this.held.delete(targetSite);
  }

  private ask(targetSite: string): Promise<Held> {
    let asking = this.asking.get(targetSite);
    if (!asking) {
      asking = this.fetch(targetSite).finally(() => this.asking.delete(targetSite));
      this.asking.set(targetSite, asking);
    }
    return asking;
  }

  private async fetch(targetSite: string): Promise<Held> {
    await this.tenants.ensureLoaded();
    const { here } = this.tenants;
    const admin = here && this.tenants.tenant(here.site_admin_tenant_id);
    const { servicePassword, internalUrl } = this.settings;
    if (!admin || !servicePassword)
      throw new NotReady(
        platform().code('NO_SERVICE_TOKEN'),
        `Service ${this.service} has ${admin ? 'no SERVICE_PASSWORD' : 'no administrative tenant'}`,
      );
    const basic = Buffer.from(`${this.service}:${servicePassword}`).toString('base64');
    const asked = this.now();
    const answer = await this.transport.send({
      method: 'POST',
      origin: internalUrl ?? admin.base_url,
      host: internalUrl ? new URL(admin.base_url).host : undefined,
      path: '/v3/tokens',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        account_type: 'service',
        token_tenant_id: admin.tenant_id,
        token_username: this.service,
        target_site_id: targetSite,
        access_token_ttl: TTL_S,
      }),
      timeoutMs: TIMEOUT_MS,
    });
    const body = (await answer.body.json()) as Envelope<TokenResult>;
    if (answer.status >= 300) throw apiErrorFrom(answer.status, body.message);
    const { access_token: token, expires_in } = (body.result as TokenResult).access_token;
    const life = expires_in * 1000;
    const held = {
      token,
      expiresAt: asked + life,
      renewAt: asked + Math.max(life * 0.8, life - RENEW_BEFORE_MS),
    };
    this.held.set(targetSite, held);
    return held;
  }
}
