import type { Caller } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { OwnedResource, ResourceAccess, Right } from './resource-access';
import type { SecurityClient, Who } from './security-client';
import type { SharedResources } from './shared-resources';

const RIGHTS: readonly Right[] = ['READ', 'MODIFY', 'EXECUTE'];

/** Rights of single users on single resources: what their default role is granted, and what they hold by any role. */
export class ResourcePermissions {
  constructor(
    private readonly security: SecurityClient,
    private readonly access: ResourceAccess,
    private readonly resources: SharedResources,
  ) {}

  /** Owners hold everything. */
  async list(caller: Caller, id: string, user: string): Promise<Right[]> {
    const resource = await this.resources.find(caller, id);
    await this.access.assertMaySeeRights(caller, resource);
    if (user === resource.owner) return [...RIGHTS];
    const who = { tenant: resource.tenant, user };
    const held = await Promise.all(
      RIGHTS.map((right) =>
        this.security.isPermitted(who, this.access.permission(resource, right)),
      ),
    );
    return RIGHTS.filter((_, i) => held[i]);
  }

  /** MODIFY brings READ along. */
  async grant(caller: Caller, id: string, user: string, permissions: string[]): Promise<void> {
    const resource = await this.resources.find(caller, id);
    await this.access.assertOwnerOrAdmin(caller, resource, 'grant permissions on');
    this.resources.assertGrantable?.(resource, user);
    const wanted = rightsOf(permissions);
    if (wanted.has('MODIFY')) wanted.add('READ');
    for (const right of wanted)
      await this.security.grant(whoIs(resource, user), this.access.permission(resource, right));
    await this.record(caller, resource, 'grantPerms', user, wanted);
  }

  /** Users may give their own rights back; READ takes MODIFY along. */
  async revoke(caller: Caller, id: string, user: string, permissions: string[]): Promise<void> {
    const resource = await this.resources.find(caller, id);
    if (user === caller.user) await this.access.assertHasAny(caller, resource);
    else await this.access.assertOwnerOrAdmin(caller, resource, 'revoke permissions on');
    const gone = rightsOf(permissions);
    if (gone.has('READ')) gone.add('MODIFY');
    for (const right of gone)
      await this.security.revoke(whoIs(resource, user), this.access.permission(resource, right));
    await this.record(caller, resource, 'revokePerms', user, gone);
  }

  private record(
    caller: Caller,
    resource: OwnedResource,
    operation: 'grantPerms' | 'revokePerms',
    user: string,
    rights: Set<Right>,
  ): Promise<void> {
    const description = { TargetUser: user, Permissions: [...rights].sort() };
    return this.resources.record(caller, resource, operation, description);
  }
}

const whoIs = ({ tenant }: OwnedResource, user: string): Who => ({ tenant, user });

/** Lower case is taken too, and `*` stands for all. */
function rightsOf(permissions: string[]): Set<Right> {
  const given = permissions.map((p) => p.toUpperCase());
  const wrong = given.filter((p) => p !== '*' && !RIGHTS.includes(p as Right));
  if (wrong.length)
    throw new BadInput(
      platform().code('INVALID_PERMISSION'),
      `"${wrong.join('", "')}" is none of the permissions ${RIGHTS.join(', ')}, *`,
    );
  return new Set(given.includes('*') ? RIGHTS : (given as Right[]));
}
