import { Injectable } from '@nestjs/common';
import { defaultConfig, type TenantConfig } from '../domain/tenant-config';
import { AuthenticatorSettings } from '../settings';

/** What each tenant decides about logging in. */
@Injectable()
export class TenantConfigs {
  constructor(private readonly settings: AuthenticatorSettings) {}

  /** With its secrets; at most 4 s old. */
  async of(tenant: string): Promise<TenantConfig> {
    const seeded = tenant in this.settings.seedAccounts;
    return defaultConfig(tenant, seeded, this.settings.accessTokenSeconds);
  }
}
