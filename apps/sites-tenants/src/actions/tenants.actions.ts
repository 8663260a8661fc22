import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, Conflict, NotFound, Unsupported, Violations } from '@libs/envelope';
import { parse } from '@libs/fields';
import { etagOf, requireMatch } from '@libs/service-kit';
import {
  changesOf,
  NewTenant,
  TenantPatch,
  tidyTenant,
  withKeys,
  type Tenant,
} from '../domain/tenant';
import { mayBecome, type TenantStatus } from '../domain/tenant-status';
import { SitesStore } from '../store/sites.store';
import { TenantsStore, type StoredTenant } from '../store/tenants.store';
import { historyRecord, tenantRecord, type TenantRecord } from './records';
import { authorOf, RegistryRights } from './registry-rights';
import { TenantRules } from './tenant-rules';

const INVALID = 'TENANTS_TENANT_INVALID';

/** The tenants of all sites: everybody reads them, administrators and tokens services write them. */
@Injectable()
export class TenantsActions {
  constructor(
    private readonly rights: RegistryRights,
    private readonly rules: TenantRules,
    private readonly tenants: TenantsStore,
    private readonly sites: SitesStore,
  ) {}

  async list(statuses: readonly TenantStatus[]): Promise<TenantRecord[]> {
    return (await this.tenants.withStatus(statuses)).map(tenantRecord);
  }

  async get(id: string): Promise<TenantRecord> {
    return tenantRecord(await this.found(id));
  }

  async create(caller: Caller, body: unknown): Promise<TenantRecord> {
    await this.rights.assertMayCreate(caller);
    const broken = new Violations();
    const made = broken.take(() => parse(NewTenant, body, { code: INVALID, what: 'the tenant' }));
    broken.add(...(await this.rules.broken((body ?? {}) as Partial<Tenant>)));
    broken.throwIfAny(INVALID, 'the tenant is not valid');
    const tenant = tidyTenant({ ...made!, public_keys: [] } as Tenant);
    await this.tenants.add(tenant, authorOf(caller));
    return this.get(tenant.tenant_id);
  }

  async update(caller: Caller, id: string, body: unknown, ifMatch?: string): Promise<TenantRecord> {
    const broken = new Violations();
    const wrong = `the change of tenant "${id}" is not valid`;
    const parsed = broken.take(() =>
      parse(TenantPatch, body, { code: INVALID, what: 'the change' }),
    );
    const row = await this.tenants.find(id);
    if (!row) {
      broken.throwIfAny(INVALID, wrong);
      throw missing(id);
    }
    await this.rights.assertMayUpdate(caller, id, row.record.site_id);
    broken.add(...(await this.rules.broken(only((body ?? {}) as Partial<Tenant>))));
    broken.throwIfAny(INVALID, wrong);
    const patch = withKeys({ ...parsed });
    const updated = await this.tenants.update(id, authorOf(caller), async (locked) => {
      requireMatch(ifMatch, etagOf(tenantRecord(locked)), `tenant ${id}`);
      await this.assertMayBecome(locked, patch);
      return changesOf(locked.record, patch);
    });
    return tenantRecord(updated!);
  }

  /** Never: names in tokens, roles and files would mean somebody else one day. */
  async remove(caller: Caller, id: string): Promise<never> {
    await this.rights.assertMayCreate(caller);
    await this.found(id);
    throw new Unsupported(
      'TENANTS_TENANT_DELETE',
      `Tenants are not deleted: set the status of ${id} to INACTIVE.`,
    );
  }

  async history(id: string) {
    await this.found(id);
    return (await this.tenants.history(id)).map(historyRecord);
  }

  private async assertMayBecome({ record }: StoredTenant, patch: Partial<Tenant>): Promise<void> {
    const { tenant_id, status, site_id } = record;
    const next = patch.status ?? status;
    if (!mayBecome(status, next))
      throw new Conflict(
        'TENANTS_STATUS',
        `Tenant ${tenant_id} is ${status} and can't be ${next}.`,
      );
    if (next !== 'DRAFT' && !(patch.public_key ?? record.public_key))
      throw new BadInput(INVALID, `Tenant ${tenant_id} needs a public_key before it is ${next}.`);
    const site = await this.sites.find(site_id);
    if (next === 'INACTIVE' && site?.record.site_admin_tenant_id === tenant_id)
      throw new Conflict(
        'TENANTS_STATUS',
        `Tenant ${tenant_id} administers site ${site_id} and stays ACTIVE.`,
      );
  }

  private async found(id: string): Promise<StoredTenant> {
    const row = await this.tenants.find(id);
    if (!row) throw missing(id);
    return row;
  }
}

/** Attributes that can't be changed are refused as such; what stands in them does not matter. */
const only = ({ tenant_id: _t, site_id: _s, base_url: _b, ...rest }: Partial<Tenant>) => rest;

const missing = (id: string) =>
  new NotFound('TENANTS_TENANT_NOT_FOUND', `There is no tenant "${id}".`, id);
