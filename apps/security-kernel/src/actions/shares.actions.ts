import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { NotFound } from '@libs/envelope';
import { Authority } from '../domain/authority';
import { SharesStore, type Share, type ShareFilter, type ShareKey } from '../store/shares.store';
import { Changes } from './changes';

/** Shares relax the checks of the service that made them; only services work with them. */
@Injectable()
export class SharesActions {
  constructor(
    private readonly shares: SharesStore,
    private readonly authority: Authority,
    private readonly changes: Changes,
  ) {}

  async create(caller: Caller, key: ShareKey): Promise<{ id: number; made: boolean }> {
    this.authority.assertService(caller, key.tenant);
    const { tenant } = key;
    return this.changes.make(caller, async (tx, record) => {
      const { id, made } = await this.shares.create(tx, key, service(caller));
      if (made) record({ tenant, action: 'share.create', object: String(id), details: keyOf(key) });
      return { id, made };
    });
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
    return this.changes.make(caller, async (tx, record) => {
      const gone = await this.shares.remove(tx, which, tenant, service(caller));
      for (const { id, ...key } of gone)
        record({ tenant, action: 'share.delete', object: String(id), details: keyOf(key) });
      return gone.length;
    });
  }
}

const keyOf = ({
  grantor,
  grantee,
  resourceType,
  resourceId1,
  resourceId2,
  privilege,
}: ShareKey) => ({
  grantor,
  grantee,
  resourceType,
  resourceId1,
  ...(resourceId2 && { resourceId2 }),
  privilege,
});
const service = (caller: Caller) => ({ user: caller.jwtUser, tenant: caller.jwtTenant });
