import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { Log } from '@libs/service-kit';
import { KeyLivesStore } from '../store/key-lives.store';
import { TokensStore } from '../store/tokens.store';
import { TenantKeys } from './tenant-keys';

const HOUR_MS = 3_600_000;

/** Forgets every hour what has expired: tokens, and the keys that verified them. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private hourly?: NodeJS.Timeout;

  constructor(
    private readonly tenants: Tenants,
    private readonly tokens: TokensStore,
    private readonly lives: KeyLivesStore,
    private readonly keys: TenantKeys,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.hourly = setInterval(() => {
      this.run().catch((err: unknown) =>
        this.log.warn({ err }, 'housekeeping did not get through'),
      );
    }, HOUR_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.hourly);
  }

  async run(): Promise<void> {
    await this.tokens.forgetExpired();
    for (const { tenant_id, site_id, public_keys } of this.tenants.all())
      if (site_id === this.tenants.siteId && (public_keys?.length ?? 0) > 1)
        await this.keys.tidy(tenant_id);
    await this.lives.forgetExpired();
  }
}
