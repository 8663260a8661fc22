import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { Log, Readiness } from '@libs/service-kit';
import { TenantRegistry } from '../clients/tenant-registry';
import { TokensStore } from '../store/tokens.store';
import { SigningKeys } from './signing-keys';

const RETRY_MS = 250;
const HOUR_MS = 3_600_000;

/** Gives the tenants that came with the installation their first key; until then nobody can log in to them. */
@Injectable()
export class SeedKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private done = false;
  private retry?: NodeJS.Timeout;
  private hourly?: NodeJS.Timeout;

  constructor(
    private readonly tenants: Tenants,
    private readonly registry: TenantRegistry,
    private readonly keys: SigningKeys,
    private readonly tokens: TokensStore,
    private readonly readiness: Readiness,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.readiness.add('signingKeys', () => this.done);
    this.retry = setTimeout(() => void this.attempt(), 0);
    this.hourly = setInterval(
      () => void this.tokens.forgetExpired().catch(() => undefined),
      HOUR_MS,
    ).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.retry);
    clearInterval(this.hourly);
    this.done = true;
  }

  private async attempt(): Promise<void> {
    try {
      await this.tenants.ensureLoaded();
      const site = this.tenants.here;
      const keyless = (await this.registry.withDrafts()).filter(
        (t) => t.site_id === site?.site_id && !t.public_key && t.created_by.startsWith('tenants@'),
      );
      for (const tenant of keyless) {
        await this.keys.renew(tenant.tenant_id, { reuse: true, status: 'ACTIVE' });
      }
      this.done = true;
    } catch (err) {
      if (this.done) return;
      this.log.warn({ err }, 'tenants without a key could not be given one yet');
      this.retry = setTimeout(() => void this.attempt(), RETRY_MS);
    }
  }
}
