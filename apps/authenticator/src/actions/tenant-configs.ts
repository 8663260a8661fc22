import { Injectable } from '@nestjs/common';
import { Tenants } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { SecurityClient, type SecretRef } from '@libs/security-client';
import { configProblems } from '../domain/config-check';
import { masked, secretPaths, splitSecrets, withSecrets } from '../domain/config-secrets';
import { type ConfigChange, defaultConfig, type TenantConfig } from '../domain/tenant-config';
import { AuthenticatorSettings } from '../settings';
import { changeEvent, type Changer } from './change-events';
import { TenantConfigsStore } from '../store/tenant-configs.store';

/** The page says about 4 s; other processes see a change within this time. */
const KEPT_MS = 3_000;

/** What each tenant decides about logging in. Secrets of it lie in the security kernel. */
@Injectable()
export class TenantConfigs {
  private readonly cache = new Map<string, { config: Promise<TenantConfig>; until: number }>();

  constructor(
    private readonly store: TenantConfigsStore,
    private readonly tenants: Tenants,
    private readonly security: SecurityClient,
    private readonly settings: AuthenticatorSettings,
  ) {}

  /** With its secrets; at most 4 s old. */
  of(tenant: string): Promise<TenantConfig> {
    const cached = this.cache.get(tenant);
    if (cached && cached.until > Date.now()) return cached.config;
    const config = this.load(tenant);
    this.cache.set(tenant, { config, until: Date.now() + KEPT_MS });
    config.catch(() => this.cache.delete(tenant));
    return config;
  }

  async shown(tenant: string): Promise<TenantConfig> {
    return masked(await this.of(tenant));
  }

  /** Members that are not given stay; a mask in the place of a secret keeps the secret. */
  async change(tenant: string, change: ConfigChange, by: Changer): Promise<TenantConfig> {
    const current = await this.load(tenant);
    const problems = configProblems(change, current);
    if (problems.length)
      throw new BadInput('AUTHENTICATOR_CONFIG', 'The config is not valid', problems);
    const { plain, secrets } = splitSecrets(change);
    const before = await this.store.find(tenant);
    const paths = new Set(secretPaths({ ...before, ...plain }));
    if (paths.size || (before && secretPaths(before).length)) {
      // first the secrets: a record never names one that is not there
      const known = await this.security.readSecret(this.place(tenant));
      const kept = Object.entries({ ...known, ...secrets }).filter(([path]) => paths.has(path));
      await this.security.writeSecret(this.place(tenant), Object.fromEntries(kept));
    }
    const details = Object.keys(plain).sort().join(' ');
    const event = changeEvent(by, { event: 'config', outcome: 'CHANGED', details });
    await this.store.merge(tenant, plain, event);
    this.cache.delete(tenant);
    return this.shown(tenant);
  }

  private async load(tenant: string): Promise<TenantConfig> {
    const { seedAccounts, accessTokenSeconds } = this.settings;
    // a tenant with test accounts is one to try things in
    const open = Object.hasOwn(seedAccounts, tenant);
    const own = (await this.store.find(tenant)) ?? {};
    const config = { ...defaultConfig(tenant, open, accessTokenSeconds), ...own };
    if (!secretPaths(own).length) return config;
    return withSecrets(config, (await this.security.readSecret(this.place(tenant))) ?? {});
  }

  private place(tenant: string): SecretRef {
    const site = this.tenants.here?.site_admin_tenant_id ?? '';
    return { type: 'service', name: `config+${tenant}`, tenant: site, user: 'authenticator' };
  }
}
