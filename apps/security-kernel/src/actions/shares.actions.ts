import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { NotFound } from '@libs/envelope';
import { Authority } from '../domain/authority';
import { SharesStore, type Share, type ShareFilter, type ShareKey } from '../store/shares.store';

/** Shares relax the checks of the service that made them; only services work with them. */
@Injectable()
export class SharesActions {
  constructor(
    private readonly shares: SharesStore,
    private readonly authority: Authority,
  ) {}

  async create(caller: Caller, key: ShareKey): Promise<{ id: number; made: boolean }> {
    this.authority.assertService(caller, key.tenant);
    return this.shares.create(key, service(caller));
  }

  async list(caller: Caller, filter: ShareFilter): Promise<Share[]> {
    this.authority.assertService(caller, filter.tenant);
    return this.shares.list(filter);
  }

  async get(caller: Caller, tenant: string, id: number): Promise<Share> {
    this.authority.assertService(caller, tenant);
    const share = await this.shares.find(tenant, id);
    if (!share)
      throw new NotFound('SK_SHARE_NOT_FOUND', `Tenant ${tenant} has no share ${id}.`, String(id));
    return share;
  }

  async hasPrivilege(
    caller: Caller,
    asked: Omit<ShareKey, 'grantor'> & { excludePublic: boolean; excludePublicNoAuthn: boolean },
  ): Promise<boolean> {
    this.authority.assertService(caller, asked.tenant);
    const everybody = [
      ...(asked.excludePublic ? [] : ['~public']),
      ...(asked.excludePublicNoAuthn ? [] : ['~public_no_authn']),
    ];
    return this.shares.hasPrivilege(asked, everybody);
  }

  async remove(caller: Caller, tenant: string, which: number | ShareKey): Promise<number> {
    this.authority.assertService(caller, tenant);
    return this.shares.remove(which, tenant, service(caller));
  }
}

const service = (caller: Caller) => ({ user: caller.jwtUser, tenant: caller.jwtTenant });
