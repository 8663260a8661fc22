import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Tenants, type TenantEntry } from '@libs/auth';
import { Log } from '@libs/service-kit';
import { secretPath } from '../domain/secret-place';
import { SITE_ADMIN_ROLE, TENANT_ADMIN_ROLE } from '../domain/role-name';
import { SecurityKernelSettings } from '../settings';
import { GrantsStore } from '../store/grants.store';
import { RolesStore, type Author } from '../store/roles.store';
import { SecretsStore } from '../store/secrets.store';
import { PASSWORD_KEY } from './vault.actions';

/** The security kernel's own name in what it makes itself. */
const KERNEL = '$~SecurityKernel';

/** The roles and service passwords that must be there before anybody can work (platform contract, 5.2). */
@Injectable()
export class StartActions implements OnApplicationBootstrap {
  private running = Promise.resolve();

  constructor(
    private readonly settings: SecurityKernelSettings,
    private readonly tenants: Tenants,
    private readonly roles: RolesStore,
    private readonly grants: GrantsStore,
    private readonly secrets: SecretsStore,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.tenants.ensureLoaded();
    await this.ensure();
    this.tenants.onChange(() => {
      this.running = this.running
        .then(() => this.ensure())
        .catch((err: unknown) => {
          this.log.error({ err }, 'the roles of the tenants could not be brought up to date');
        });
    });
  }

  /** Makes what is missing and changes nothing that is there. */
  async ensure(): Promise<void> {
    const here = this.tenants.here;
    if (!here) return;
    const site = here.site_admin_tenant_id;
    const kernel: Author = { user: KERNEL, tenant: site };
    await this.keepServicePasswords(site);
    for (const tenant of this.tenants.all().filter((t) => t.site_id === here.site_id)) {
      await this.ensureTenant(tenant, site, kernel);
    }
    if (!here.primary) return;
    await this.ensureHeld(site, 'tenant_creator', 'tenants', kernel);
    const tenantsService: Author = { user: 'tenants', tenant: site };
    await this.ensureHeld(site, 'tenant_definition_updater', 'tokens', kernel, tenantsService);
    const admin = this.tenants.tenant(site)?.admin_user;
    if (admin) await this.ensureSomebodyHolds(site, SITE_ADMIN_ROLE, admin, kernel);
  }

  private async ensureTenant(tenant: TenantEntry, site: string, kernel: Author): Promise<void> {
    if (tenant.admin_user) {
      await this.ensureSomebodyHolds(
        tenant.tenant_id,
        TENANT_ADMIN_ROLE,
        tenant.admin_user,
        kernel,
      );
    }
    if (tenant.tenant_id === site) return;
    const generator = `${tenant.tenant_id}_token_generator`;
    const tokens: Author = { user: 'tokens', tenant: site };
    for (const service of tenant.token_gen_services ?? []) {
      await this.ensureHeld(site, generator, service, kernel, tokens);
    }
  }

  private async ensureSomebodyHolds(
    tenant: string,
    name: string,
    user: string,
    kernel: Author,
  ): Promise<void> {
    await this.roles.create({ tenant, name, description: 'Made by the security kernel' }, kernel);
    const role = await this.roles.find(tenant, name);
    if ((await this.grants.holders(tenant, role!.id)).length === 0)
      await this.grants.grant(tenant, user, role!.id);
  }

  private async ensureHeld(
    tenant: string,
    name: string,
    user: string,
    kernel: Author,
    owner = kernel,
  ): Promise<void> {
    await this.roles.create(
      { tenant, name, description: 'Made by the security kernel', owner },
      kernel,
    );
    const role = await this.roles.find(tenant, name);
    await this.grants.grant(tenant, user, role!.id);
  }

  private async keepServicePasswords(tenant: string): Promise<void> {
    for (const [service, password] of Object.entries(this.settings.servicePasswords)) {
      const path = secretPath({ type: 'service', name: PASSWORD_KEY, tenant, user: service });
      const kept = await this.secrets.read(tenant, path);
      if (kept?.data[PASSWORD_KEY] !== password)
        await this.secrets.write(tenant, path, { [PASSWORD_KEY]: password });
    }
  }
}
