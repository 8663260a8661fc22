import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Tenants, type Caller, type TenantEntry } from '@libs/auth';
import { Log, Readiness } from '@libs/service-kit';
import { Authority } from '../domain/authority';
import { secretPath } from '../domain/secret-place';
import { SecretVault } from '../store/secret-vault';
import { SITE_ADMIN_ROLE, TENANT_ADMIN_ROLE } from '../domain/role-name';
import { SecurityKernelSettings } from '../settings';
import { GrantsStore } from '../store/grants.store';
import { RolesStore, type Author } from '../store/roles.store';
import { Changes } from './changes';
import { PASSWORD_KEY } from './vault.actions';

/** The security kernel's own name in what it makes itself. */
const KERNEL = '$~SecurityKernel';

/** Asking for the work again sooner than this is not worth it (platform contract, 5.2). */
const AGAIN_AFTER_MS = 10 * 60_000;

/** The roles and service passwords that must be there before anybody can work (platform contract, 5.2). */
@Injectable()
export class StartActions implements OnApplicationBootstrap {
  private running = Promise.resolve();
  private askedAt = -Infinity;

  constructor(
    private readonly settings: SecurityKernelSettings,
    private readonly tenants: Tenants,
    private readonly roles: RolesStore,
    private readonly grants: GrantsStore,
    private readonly vault: SecretVault,
    private readonly authority: Authority,
    private readonly changes: Changes,
    private readonly log: Log,
    readiness: Readiness,
  ) {
    readiness.add('vaultAccess', () => vault.check());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.tenants.ensureLoaded();
    await this.ensure();
    this.tenants.onChange(() => {
      void this.inTurn().catch((err: unknown) => {
        this.log.error({ err }, 'the roles of the tenants could not be brought up to date');
      });
    });
  }

  /** Reads the tenants again and repeats the work of the start; false: that was done just now. */
  async reinitialize(caller: Caller): Promise<boolean> {
    await this.authority.assertSiteAdmin(caller);
    if (performance.now() - this.askedAt < AGAIN_AFTER_MS) return false;
    this.askedAt = performance.now();
    try {
      await this.tenants.refresh();
      await this.inTurn();
    } catch (error) {
      this.askedAt = -Infinity;
      throw error;
    }
    return true;
  }

  private inTurn(): Promise<void> {
    const work = this.running.then(() => this.ensure());
    this.running = work.catch(() => undefined);
    return work;
  }

  /** Makes what is missing and changes nothing that is there. */
  async ensure(): Promise<void> {
    const here = this.tenants.here;
    if (!here) return;
    const site = here.site_admin_tenant_id;
    await this.keepServicePasswords(site);
    for (const tenant of this.tenants.all()) {
      if (tenant.site_id === here.site_id) await this.ensureTenant(tenant, site);
      // what an associate does not run the primary serves, with the same administrator
      else if (here.primary) await this.ensureAdmin(tenant, site);
    }
    const registry: Author = { user: 'tenants', tenant: site };
    await this.ensureHeld(site, 'tenant_definition_updater', 'tokens', registry);
    if (!here.primary) return;
    await this.ensureHeld(site, 'tenant_creator', 'tenants', kernelOf(site));
    // the tokens services of associates write keys into the registry, which asks this kernel
    for (const { site_admin_tenant_id: other } of this.tenants.allSites())
      if (other !== site)
        await this.ensureHeld(other, 'tenant_definition_updater', 'tokens', registry);
    const admin = this.tenants.tenant(site)?.admin_user;
    if (admin) await this.ensureSomebodyHolds(site, SITE_ADMIN_ROLE, admin, site);
  }

  private async ensureTenant(tenant: TenantEntry, site: string): Promise<void> {
    const { tenant_id: id } = tenant;
    await this.ensureAdmin(tenant, site);
    if (id === site) return;
    const generator = `${id}_token_generator`;
    const tokens: Author = { user: 'tokens', tenant: site };
    for (const service of tenant.token_gen_services ?? [])
      await this.ensureHeld(site, generator, service, tokens);
  }

  private async ensureAdmin(
    { tenant_id: id, admin_user: admin }: TenantEntry,
    site: string,
  ): Promise<void> {
    if (admin) await this.ensureSomebodyHolds(id, TENANT_ADMIN_ROLE, admin, site);
  }

  private async ensureSomebodyHolds(
    tenant: string,
    name: string,
    user: string,
    site: string,
  ): Promise<void> {
    const role = await this.roles.find(tenant, name);
    if (role && (await this.grants.holders(tenant, role.id)).length) return;
    await this.give(tenant, name, user, site, kernelOf(site));
  }

  private async ensureHeld(site: string, name: string, user: string, owner: Author): Promise<void> {
    if ((await this.grants.roleNames(site, user)).includes(name)) return;
    await this.give(site, name, user, site, owner);
  }

  private async give(
    tenant: string,
    name: string,
    user: string,
    site: string,
    owner: Author,
  ): Promise<void> {
    const kernel = kernelOf(site);
    const description = 'Made by the security kernel';
    await this.changes.make(changer(kernel), async (tx, record) => {
      const made = await this.roles.create(tx, { tenant, name, description, owner }, kernel);
      if (made) record({ tenant, action: 'role.create', object: name, details: { description } });
      const role = await this.roles.lock(tx, { tenant, name });
      if (await this.grants.grant(tx, tenant, user, role!.id))
        record({ tenant, action: 'user.grantRole', object: user, details: { role: name } });
    });
  }

  private async keepServicePasswords(tenant: string): Promise<void> {
    for (const [service, password] of Object.entries(this.settings.servicePasswords)) {
      const path = secretPath({ type: 'service', name: PASSWORD_KEY, tenant, user: service });
      const kept = await this.vault.read(tenant, path);
      if (kept?.data[PASSWORD_KEY] === password) continue;
      await this.changes.make(changer(kernelOf(tenant)), async (tx, record) => {
        const { version } = await this.vault.write(tx, tenant, path, { [PASSWORD_KEY]: password });
        record({ tenant, action: 'secret.write', object: path, details: { version } });
      });
    }
  }
}

const kernelOf = (tenant: string): Author => ({ user: KERNEL, tenant });
const changer = ({ user, tenant }: Author) => ({
  user,
  tenant,
  jwtUser: user,
  jwtTenant: tenant,
  delegator: null,
  trackingId: '',
});
