import type { Caller } from '@libs/auth';
import type { OwnedResource, ResourceAccess, Right } from './resource-access';
import type { SecurityClient } from './security-client';
import type { SharedResources } from './shared-resources';
import { PUBLIC_GRANTEE, type Share } from './shares';

/** What a share lends. */
const LENT: readonly Right[] = ['READ', 'EXECUTE'];

export interface ShareInfo {
  public: boolean;
  userList: string[];
  shareRecords: Omit<Share, 'id'>[];
}

/** Sharing of resources with users, or with everybody of the tenant; owner and tenant admin decide (ruling 57). */
export class ResourceShares {
  constructor(
    private readonly security: SecurityClient,
    private readonly access: ResourceAccess,
    private readonly resources: SharedResources,
  ) {}

  async info(caller: Caller, id: string): Promise<ShareInfo> {
    const resource = await this.resources.find(caller, id);
    await this.access.assertMayRead(caller, resource);
    const { isPublic, sharedWithUsers } = await this.access.sharing(resource);
    const shares = await this.security.shares(this.access.sharesOf(resource));
    return {
      public: isPublic,
      userList: sharedWithUsers,
      shareRecords: shares.map(({ id: _, ...record }) => record),
    };
  }

  share(caller: Caller, id: string, users: string[]): Promise<void> {
    return this.change(caller, id, async (resource) => {
      for (const grantee of users)
        for (const privilege of LENT)
          await this.security.share({
            ...this.access.sharesOf(resource),
            grantor: caller.user,
            grantee,
            privilege,
          });
    });
  }

  /** Whoever shared it. */
  unshare(caller: Caller, id: string, users: string[]): Promise<void> {
    return this.change(caller, id, async (resource) => {
      const shares = await this.security.shares(this.access.sharesOf(resource));
      for (const { grantor, grantee, resourceId2, privilege } of shares)
        if (users.includes(grantee))
          await this.security.unshare({
            ...this.access.sharesOf(resource),
            grantor,
            grantee,
            resourceId2,
            privilege,
          });
    });
  }

  sharePublic(caller: Caller, id: string): Promise<void> {
    return this.share(caller, id, [PUBLIC_GRANTEE]);
  }

  unsharePublic(caller: Caller, id: string): Promise<void> {
    return this.unshare(caller, id, [PUBLIC_GRANTEE]);
  }

  private async change(
    caller: Caller,
    id: string,
    work: (resource: OwnedResource) => Promise<void>,
  ): Promise<void> {
    const resource = await this.resources.find(caller, id);
    await this.access.assertOwnerOrAdmin(caller, resource, 'share');
    await work(resource);
    await this.resources.sharesChanged(resource);
  }
}
