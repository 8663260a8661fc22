import type { Caller } from '@libs/auth';
import { Forbidden, NotFound } from '@libs/envelope';
import type { SecurityClient, Who } from './security-client';
import { PUBLIC_GRANTEE } from './shares';

export type Right = 'READ' | 'MODIFY' | 'EXECUTE';

export interface OwnedResource {
  tenant: string;
  id: string;
  owner: string;
}

export interface ResourceKind {
  /** First part of its permissions and the word for it in texts: `system`, `app`. */
  schema: string;
  /** The kind in share records. */
  shareType: string;
  /** Codes of the errors. */
  codes: { missing: string; refused: string };
}

/** What a list of resources may be asked for; the first one is the default. */
export const LIST_TYPES = [
  'OWNED',
  'SHARED_PUBLIC',
  'ALL',
  'SHARED_DIRECT',
  'READ_PERM',
  'MINE',
] as const;

/** Whose resources a list shows: those of the owner and those with these ids, or all of the tenant. */
export interface VisibleResources {
  owner?: string;
  ids?: string[];
  all?: boolean;
}

/** Who may do what with one kind of resource: owner, tenant admin, permissions, shares. Owners need nobody's answer. */
export class ResourceAccess {
  constructor(
    private readonly security: SecurityClient,
    private readonly kind: ResourceKind,
  ) {}

  missing(tenant: string, id: string): NotFound {
    const { schema, codes } = this.kind;
    return new NotFound(codes.missing, `There is no ${schema} "${id}" in tenant ${tenant}.`, id);
  }

  refused(who: Who, id: string, what: string): Forbidden {
    const { schema, codes } = this.kind;
    return new Forbidden(
      codes.refused,
      `${who.user}@${who.tenant} may not ${what} ${schema} "${id}".`,
    );
  }

  /** 404 for who may not see the resource at all (ruling 34). */
  async assertMayRead(who: Who, resource: OwnedResource): Promise<void> {
    if (!(await this.mayRead(who, resource))) throw this.missing(resource.tenant, resource.id);
  }

  async assertMayExecute(who: Who, resource: OwnedResource): Promise<void> {
    if (who.user === resource.owner || isServiceItself(who)) return;
    if (await this.holds(who, resource, ['EXECUTE'])) return;
    if (await this.shared(who, resource, 'EXECUTE')) return;
    await this.assertMayRead(who, resource);
    throw this.refused(who, resource.id, 'execute');
  }

  async mayModify(who: Who, resource: OwnedResource): Promise<boolean> {
    return who.user === resource.owner || this.holds(who, resource, ['MODIFY']);
  }

  async assertMayModify(who: Who, resource: OwnedResource): Promise<void> {
    if (await this.mayModify(who, resource)) return;
    await this.assertMayRead(who, resource);
    throw this.refused(who, resource.id, 'change');
  }

  async assertOwnerOrAdmin(who: Who, resource: OwnedResource, what: string): Promise<void> {
    if (who.user === resource.owner || (await this.security.isAdmin(who))) return;
    await this.assertMayRead(who, resource);
    throw this.refused(who, resource.id, what);
  }

  /** Whoever has any right on it may give that up; to others it is not there. */
  async assertHasAny(who: Who, resource: OwnedResource): Promise<void> {
    if (await this.holds(who, resource, ['EXECUTE'])) return;
    await this.assertMayRead(who, resource);
  }

  /** For who holds a right of their own; a share lends the resource, not a look at others' rights. */
  async assertMaySeeRights(who: Who, resource: OwnedResource): Promise<void> {
    if (who.user === resource.owner || isServiceItself(who)) return;
    if (await this.holds(who, resource, ['READ', 'MODIFY'])) return;
    await this.assertMayRead(who, resource);
    throw this.refused(who, resource.id, 'see the permissions on');
  }

  isAdmin(who: Who): Promise<boolean> {
    return this.security.isAdmin(who);
  }

  async mayRead(who: Who, resource: OwnedResource): Promise<boolean> {
    return (
      who.user === resource.owner ||
      isServiceItself(who) ||
      (await this.holds(who, resource, ['READ', 'MODIFY'])) ||
      (await this.shared(who, resource, 'READ'))
    );
  }

  /** Whether somebody has this right to lend: who administers the tenant has none of their own by that. */
  async mayLend(
    { tenant, user }: Who,
    resource: OwnedResource,
    right: 'READ' | 'EXECUTE',
  ): Promise<boolean> {
    const rights: Right[] = right === 'READ' ? ['READ', 'MODIFY'] : ['EXECUTE'];
    return (
      user === resource.owner ||
      (await this.holds({ tenant, user }, resource, rights, false)) ||
      (await this.shared({ tenant, user }, resource, right))
    );
  }

  /** The permission that gives this right, as the security kernel knows it. */
  permission({ tenant, id }: OwnedResource, right: Right | '*'): string {
    return `${this.kind.schema}:${tenant}:${right}:${id}`;
  }

  /** What all share records of the resource have in common. */
  sharesOf({ tenant, id }: OwnedResource) {
    return { tenant, resourceType: this.kind.shareType, resourceId1: id };
  }

  /** With whom the resource is shared, and whether with everybody of the tenant. */
  async sharing(
    resource: OwnedResource,
  ): Promise<{ isPublic: boolean; sharedWithUsers: string[] }> {
    const shares = await this.security.shares(this.sharesOf(resource));
    const grantees = new Set(shares.map((s) => s.grantee));
    const isPublic = grantees.delete(PUBLIC_GRANTEE);
    return { isPublic, sharedWithUsers: [...grantees].sort() };
  }

  /** Takes all permissions on the resource and all its shares away: it is deleted. */
  async forget(resource: OwnedResource): Promise<void> {
    for (const right of ['READ', 'MODIFY', 'EXECUTE', '*'] as const)
      await this.security.revokeFromAll(resource.tenant, this.permission(resource, right));
    const key = this.sharesOf(resource);
    const shares = await this.security.shares(key);
    for (const { grantor, grantee, resourceId2, privilege } of shares)
      await this.security.unshare({ ...key, grantor, grantee, resourceId2, privilege });
  }

  /** What is left of resources that are gone: a deletion was interrupted. */
  async forgetGone(tenant: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.forget({ tenant, id, owner: '' });
  }

  /** What a list of this type shows to the user. */
  async visible(who: Who, listType: string = LIST_TYPES[0]): Promise<VisibleResources> {
    const among = (...types: string[]) => types.includes(listType);
    const ids = await Promise.all([
      among('ALL', 'MINE', 'SHARED_DIRECT') ? this.sharedIds(who.tenant, who.user) : undefined,
      among('ALL', 'SHARED_PUBLIC') ? this.sharedIds(who.tenant, PUBLIC_GRANTEE) : undefined,
      among('ALL', 'READ_PERM') ? this.permittedIds(who) : undefined,
    ]);
    const found = ids.filter((some) => some !== undefined);
    const names = new Set(found.flat());
    return {
      owner: among('OWNED', 'ALL', 'MINE') ? who.user : undefined,
      ids: found.length ? [...names] : undefined,
      // a role may hold a permission for whatever there is
      ...(names.has('*') && { all: true }),
    };
  }

  /** A right of one's own, or the tenant's administration. */
  private holds(
    { tenant, user }: Who,
    resource: OwnedResource,
    rights: Right[],
    orAdmin = true,
  ): Promise<boolean> {
    const wanted = rights.map((right) => this.permission({ ...resource, tenant }, right));
    return this.security.isPermittedAny({ tenant, user }, wanted, orAdmin);
  }

  private shared(who: Who, resource: OwnedResource, privilege: Right): Promise<boolean> {
    const key = this.sharesOf({ ...resource, tenant: who.tenant });
    return this.security.hasPrivilege({ ...key, grantee: who.user, privilege });
  }

  private async sharedIds(tenant: string, grantee: string): Promise<string[]> {
    const resourceType = this.kind.shareType;
    const shares = await this.security.shares({
      tenant,
      grantee,
      resourceType,
      includePublicGrantees: false,
    });
    return shares.map((s) => s.resourceId1);
  }

  private async permittedIds({ tenant, user }: Who): Promise<string[]> {
    const implies = `${this.kind.schema}:${tenant}`;
    const held = await this.security.permissionsOf({ tenant, user }, { implies });
    return held.flatMap((text) => {
      const [, , rights = '*', ids = '*'] = text.split(':');
      return rights.split(',').some((r) => ['READ', 'MODIFY', '*'].includes(r))
        ? ids.split(',')
        : [];
    });
  }
}

/** A service that speaks for nobody, in its own tenant: it may look at and use what is there. */
function isServiceItself(who: Who & Partial<Caller>): boolean {
  const { accountType, tenant, user, jwtTenant, jwtUser } = who;
  return accountType === 'service' && tenant === jwtTenant && user === jwtUser;
}
