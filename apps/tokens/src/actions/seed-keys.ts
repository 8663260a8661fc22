import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { Log, Readiness } from '@libs/service-kit';
import { TenantRegistry } from '../clients/tenant-registry';
import { TenantKeys } from './tenant-keys';

const RETRY_MS = 250;

/**
 * Gives the tenants that came with the installation their first key; until then nobody can log in to them. They are
 * the primary site's: an associate starts without asking the registry.
 */
@Injectable()
export class SeedKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private done = false;
  private retry?: NodeJS.Timeout;

  constructor(
    private readonly tenants: Tenants,
    private readonly registry: TenantRegistry,
    private readonly keys: TenantKeys,
    private readonly readiness: Readiness,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.readiness.add('signingKeys', () => this.done);
    this.retry = setTimeout(() => void this.attempt(), 0);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.retry);
    this.done = true;
  }

  private async attempt(): Promise<void> {
    try {
      await this.tenants.ensureLoaded();
      const site = this.tenants.here;
      if (site?.primary) {
        const keyless = (await this.registry.withDrafts()).filter(
          (t) => t.site_id === site.site_id && !t.public_key && t.created_by.startsWith('tenants@'),
        );
        for (const { tenant_id } of keyless) await this.keys.renew(tenant_id, 'ACTIVE');
      }
      this.done = true;
    } catch (err) {
      if (this.done) return;
      this.log.warn({ err }, 'tenants without a key could not be given one yet');
      this.retry = setTimeout(() => void this.attempt(), RETRY_MS);
    }
  }
}
