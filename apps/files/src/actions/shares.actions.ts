import { Injectable } from '@nestjs/common';
import { type Actor, FileAccess } from '@libs/files-access';
import { PUBLIC_GRANTEE, SecurityClient, type Share } from '@libs/security-client';
import type { Acting } from './acting';
import type { Place } from './operations.actions';

export interface ShareInfo {
  isPublic: boolean;
  isPublicPath: string | null;
  userSet: string[];
  userShareInfoSet: { username: string; path: string; grantor: string }[];
}

/** Shares of paths: READ for whoever they name, on the path and below. Only the owner of the system makes them. */
@Injectable()
export class SharesActions {
  constructor(
    private readonly access: FileAccess,
    private readonly security: SecurityClient,
  ) {}

  async info(who: Acting, { systemId, path }: Place): Promise<ShareInfo> {
    await this.access.require({ ...who, systemId, paths: [path], need: 'READ' });
    const own = `/${path}`;
    const above = (folder: string) =>
      folder === '/' || own === folder || own.startsWith(`${folder}/`);
    const shares = (await this.all(who.actor, systemId)).filter((s) => above(s.resourceId2 ?? '/'));
    const open = shares.find((s) => s.grantee === PUBLIC_GRANTEE);
    const users = shares.filter((s) => !s.grantee.startsWith('~'));
    return {
      isPublic: open !== undefined,
      isPublicPath: open?.resourceId2 ?? null,
      userSet: [...new Set(users.map((s) => s.grantee))].sort(),
      userShareInfoSet: users.map((s) => ({
        username: s.grantee,
        path: s.resourceId2 ?? '/',
        grantor: s.grantor,
      })),
    };
  }

  async share(actor: Actor, place: Place, grantees: string[]): Promise<void> {
    await this.access.requireOwner(actor, place.systemId);
    for (const grantee of grantees) {
      await this.security.share({
        tenant: actor.tenant,
        grantor: actor.user,
        grantee,
        resourceType: 'file',
        resourceId1: place.systemId,
        resourceId2: `/${place.path}`,
        privilege: 'READ',
      });
    }
  }

  /** Takes shares with these people (all, when none are named), whoever made them. */
  async unshare(
    actor: Actor,
    { systemId, path }: Place,
    grantees: string[] | undefined,
    recurse = false,
  ): Promise<void> {
    await this.access.requireOwner(actor, systemId);
    const own = `/${path}`;
    const below = path ? `${own}/` : '/';
    for (const share of await this.all(actor, systemId)) {
      const here = share.resourceId2 === own || (recurse && share.resourceId2?.startsWith(below));
      if (!here || (grantees && !grantees.includes(share.grantee))) continue;
      const { tenant, grantor, grantee, resourceType, resourceId1, resourceId2, privilege } = share;
      const key = { tenant, grantor, grantee, resourceType, resourceId1, resourceId2, privilege };
      await this.security.unshare(key);
    }
  }

  private all({ tenant }: Actor, systemId: string): Promise<Share[]> {
    return this.security.shares({
      tenant,
      resourceType: 'file',
      resourceId1: systemId,
      resourceId2: '%',
    });
  }
}
