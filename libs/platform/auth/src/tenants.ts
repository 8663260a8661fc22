import { NotReady } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import {
  keysOf,
  type Directory,
  type DirectorySource,
  type SiteEntry,
  type TenantEntry,
} from './directory';

const POLL_MS = 60_000;
/** A request with an unknown tenant or key makes us look again, but not more often than this. */
const THROTTLE_MS = 10_000;

/** `127.0.0.1` and `[::1]` count as `localhost`. */
export function canonicalHost(host: string): string {
  const lower = host.trim().toLowerCase();
  return lower.replace(/^(127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost');
}

const withoutPort = (host: string): string => host.replace(/:\d*$/, '');

/**
 * The cached registry of sites and tenants. Refreshed every minute, when told that it changed, and (throttled) when
 * a request names something unknown. Answers from memory; throws NotReady only while nothing was ever loaded.
 */
export class Tenants {
  private tenants = new Map<string, TenantEntry>();
  private sites = new Map<string, SiteEntry>();
  private hosts = new Map<string, string>();
  private loading?: Promise<void>;
  private loaded = false;
  private lastForced = 0;
  private timer?: NodeJS.Timeout;
  private fingerprint = '';
  private readonly listeners: (() => void)[] = [];
  private news?: () => void;

  constructor(
    private readonly source: DirectorySource,
    readonly siteId: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** Loads the list and keeps it fresh until `stop`. */
  async start(): Promise<void> {
    this.timer = setInterval(() => void this.refresh().catch(() => undefined), POLL_MS);
    this.timer.unref();
    await this.refresh();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Called when a tenant, a key or a site has changed. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Called when a look because of a request found something new: others of the site don't know of it yet. */
  onNews(tell: () => void): void {
    this.news = tell;
  }

  get ready(): boolean {
    return this.loaded;
  }

  /** Loads the list now; calls at the same time share one load. */
  refresh(): Promise<void> {
    this.loading ??= this.source
      .load()
      .then((directory) => this.take(directory))
      .finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** For a request that named something unknown: true if the list was loaded again, false if that was done just now. */
  async look(): Promise<boolean> {
    if (!this.loading) {
      if (this.now() - this.lastForced < THROTTLE_MS) return false;
      this.lastForced = this.now();
    }
    const before = this.fingerprint;
    await this.refresh().catch(() => undefined);
    if (this.fingerprint !== before) this.news?.();
    return true;
  }

  async ensureLoaded(): Promise<void> {
    if (this.loaded) return;
    await this.refresh().catch(() => undefined);
    if (!this.loaded)
      throw new NotReady(platform().code('NOT_READY'), 'The list of tenants could not be read yet');
  }

  tenant(id: string): TenantEntry | undefined {
    return this.tenants.get(id);
  }

  all(): TenantEntry[] {
    return [...this.tenants.values()];
  }

  allSites(): SiteEntry[] {
    return [...this.sites.values()];
  }

  site(id: string): SiteEntry | undefined {
    return this.sites.get(id);
  }

  get here(): SiteEntry | undefined {
    return this.sites.get(this.siteId);
  }

  get primary(): SiteEntry | undefined {
    return [...this.sites.values()].find((s) => s.primary);
  }

  siteOf(tenantId: string): SiteEntry | undefined {
    const tenant = this.tenants.get(tenantId);
    return tenant && this.sites.get(tenant.site_id);
  }

  /** The tenant whose base URL has this host, else the one the primary site's template captures. */
  byHost(host: string | undefined): TenantEntry | undefined {
    if (!host) return undefined;
    const name = canonicalHost(host);
    const id = this.hosts.get(name) ?? this.hosts.get(withoutPort(name)) ?? this.fromTemplate(name);
    return id === undefined ? undefined : this.tenants.get(id);
  }

  isSiteAdminTenant(tenantId: string): boolean {
    for (const site of this.sites.values()) if (site.site_admin_tenant_id === tenantId) return true;
    return false;
  }

  /** Administrative tenants are for services; people administer at the primary site alone (ruling 50). */
  mayHavePeople(tenantId: string): boolean {
    return !this.isSiteAdminTenant(tenantId) || this.primary?.site_admin_tenant_id === tenantId;
  }

  /** Any tenant for itself, a site's admin tenant for the site's tenants, the primary's admin tenant for all. */
  mayActFor(tenantId: string, other: string): boolean {
    if (tenantId === other) return this.tenants.has(other);
    const owner = this.siteOf(other);
    if (!owner) return false;
    return (
      owner.site_admin_tenant_id === tenantId || this.primary?.site_admin_tenant_id === tenantId
    );
  }

  private fromTemplate(name: string): string | undefined {
    const template = this.primary?.tenant_base_url_template?.replace(/^\w+:\/\//, '');
    if (!template) return undefined;
    const [before, after] = canonicalHost(template).split('${tenant_id}');
    if (before === undefined || after === undefined) return undefined;
    if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
    return name.slice(before.length, name.length - after.length);
  }

  private take({ sites, tenants }: Directory): void {
    const active = tenants.filter((t) => t.status.toUpperCase() === 'ACTIVE');
    this.sites = new Map(sites.map((s) => [s.site_id, s]));
    this.tenants = new Map(active.map((t) => [t.tenant_id, t]));
    this.hosts = new Map();
    for (const tenant of active) {
      const host = canonicalHost(new URL(tenant.base_url).host);
      this.hosts.set(withoutPort(host), tenant.tenant_id);
    }
    for (const tenant of active)
      this.hosts.set(canonicalHost(new URL(tenant.base_url).host), tenant.tenant_id);
    this.loaded = true;
    const fingerprint = JSON.stringify([
      sites,
      active.map((t) => [
        t.tenant_id,
        t.base_url,
        t.site_id,
        keysOf(t),
        t.admin_user,
        t.token_gen_services,
      ]),
    ]);
    if (fingerprint === this.fingerprint) return;
    this.fingerprint = fingerprint;
    for (const listener of this.listeners) listener();
  }
}
