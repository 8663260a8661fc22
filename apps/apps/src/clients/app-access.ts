import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { PUBLIC_GRANTEE, SecurityClient } from '@libs/security-client';
import { missing, refused, rightOn, type AppRight } from '../domain/access';

/** The kind of thing that is shared, in the security kernel's records. */
export const SHARE_TYPE = 'apps';

interface App {
  tenant: string;
  id: string;
  owner: string;
}

/** Who may do what with an app; owners need nobody's answer. */
@Injectable()
export class AppAccess {
  constructor(private readonly security: SecurityClient) {}

  /** 404 for who may not see the app at all (ruling 34). */
  async assertMayRead(caller: Caller, app: App): Promise<void> {
    if (!(await this.mayRead(caller, app))) throw missing(app.tenant, app.id);
  }

  async assertMayExecute(caller: Caller, app: App): Promise<void> {
    await this.assertMayRead(caller, app);
    const may =
      caller.user === app.owner ||
      (await this.holds(caller, app, ['EXECUTE'])) ||
      (await this.shared(caller, app, 'EXECUTE'));
    if (!may) throw refused(caller, app.id, 'execute');
  }

  async assertMayModify(caller: Caller, app: App): Promise<void> {
    if (caller.user === app.owner || (await this.holds(caller, app, ['MODIFY']))) return;
    await this.assertMayRead(caller, app);
    throw refused(caller, app.id, 'change');
  }

  async assertOwnerOrAdmin(caller: Caller, app: App, what: string): Promise<void> {
    if (caller.user === app.owner || (await this.security.isAdmin(caller))) return;
    await this.assertMayRead(caller, app);
    throw refused(caller, app.id, what);
  }

  isAdmin(caller: Caller): Promise<boolean> {
    return this.security.isAdmin(caller);
  }

  /** Shares of an app: with whom, and whether with everybody. */
  async sharing(app: App): Promise<{ isPublic: boolean; sharedWithUsers: string[] }> {
    const shares = await this.security.shares({
      tenant: app.tenant,
      resourceType: SHARE_TYPE,
      resourceId1: app.id,
    });
    const grantees = new Set(shares.map((s) => s.grantee));
    const isPublic = grantees.delete(PUBLIC_GRANTEE);
    return { isPublic, sharedWithUsers: [...grantees].sort() };
  }

  /** Ids of apps others let this user see, by the way they do. */
  async visibleIds(
    caller: Caller,
    ways: { direct: boolean; everybody: boolean; permitted: boolean },
  ): Promise<string[]> {
    const { tenant, user } = caller;
    const ids = new Set<string>();
    const shared = async (grantee: string) => {
      const shares = await this.security.shares({
        tenant,
        grantee,
        resourceType: SHARE_TYPE,
        includePublicGrantees: false,
      });
      shares.forEach((s) => ids.add(s.resourceId1));
    };
    const permitted = async () => {
      const held = await this.security.permissionsOf(
        { tenant, user },
        { implies: `app:${tenant}` },
      );
      for (const text of held) {
        const [, , rights = '', id = ''] = text.split(':');
        if (/(^|,)(READ|MODIFY|\*)(,|$)/.test(rights)) id.split(',').forEach((one) => ids.add(one));
      }
    };
    await Promise.all([
      ways.direct ? shared(user) : undefined,
      ways.everybody ? shared(PUBLIC_GRANTEE) : undefined,
      ways.permitted ? permitted() : undefined,
    ]);
    return [...ids];
  }

  private async mayRead(caller: Caller, app: App): Promise<boolean> {
    return (
      caller.user === app.owner ||
      (await this.holds(caller, app, ['READ', 'MODIFY'])) ||
      (await this.shared(caller, app, 'READ'))
    );
  }

  /** A right of one's own, or the tenant's administration. */
  private holds({ tenant, user }: Caller, app: App, rights: AppRight[]): Promise<boolean> {
    return this.security.isPermittedAny(
      { tenant, user },
      rights.map((r) => rightOn(tenant, r, app.id)),
      true,
    );
  }

  private shared({ tenant, user }: Caller, app: App, privilege: AppRight): Promise<boolean> {
    return this.security.hasPrivilege({
      tenant,
      grantee: user,
      resourceType: SHARE_TYPE,
      resourceId1: app.id,
      privilege,
    });
  }
}
