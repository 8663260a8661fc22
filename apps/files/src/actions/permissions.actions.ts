import { Injectable } from '@nestjs/common';
import { Forbidden } from '@libs/envelope';
import { type Actor, FileAccess, missing, permissionSpec, SystemsClient } from '@libs/files-access';
import { SecurityClient } from '@libs/security-client';
import type { Place } from './operations.actions';

export interface FilePermission {
  tenantId: string;
  username: string;
  systemId: string;
  path: string;
  permission: 'READ' | 'MODIFY' | null;
}

/** Permissions on paths; a path need not exist. MODIFY implies READ. */
@Injectable()
export class PermissionsActions {
  constructor(
    private readonly access: FileAccess,
    private readonly systems: SystemsClient,
    private readonly security: SecurityClient,
  ) {}

  /** The strongest one. About others only the owner of the system may ask. */
  async find(actor: Actor, place: Place, username: string): Promise<FilePermission> {
    const { system, visible } = await this.systems.get(actor, place.systemId);
    if (username !== actor.user && !visible) throw missing(actor.tenant, place.systemId);
    if (username !== actor.user && system.owner !== actor.user) {
      throw new Forbidden(
        'FILES_PERM_NOT_AUTH',
        `only the owner of system ${place.systemId} sees the permissions of others`,
      );
    }
    const holds = (need: string) =>
      this.security.isPermitted({ ...actor, user: username }, spec(actor, place, need));
    const permission = (await holds('MODIFY')) ? 'MODIFY' : (await holds('READ')) ? 'READ' : null;
    // whoever may do nothing here learns nothing, not even that it exists
    if (!visible && !permission) throw missing(actor.tenant, place.systemId);
    return this.record(actor, place, username, permission);
  }

  async grant(
    actor: Actor,
    place: Place,
    username: string,
    permission: 'READ' | 'MODIFY',
  ): Promise<FilePermission> {
    await this.access.requireOwner(actor, place.systemId);
    await this.security.grant({ ...actor, user: username }, spec(actor, place, permission));
    return this.record(actor, place, username, permission);
  }

  /** Takes both; nothing there is fine. */
  async revoke(actor: Actor, place: Place, username: string): Promise<void> {
    await this.access.requireOwner(actor, place.systemId);
    for (const need of ['READ', 'MODIFY']) {
      await this.security.revoke({ ...actor, user: username }, spec(actor, place, need));
    }
  }

  private record(
    { tenant }: Actor,
    { systemId, path }: Place,
    username: string,
    permission: FilePermission['permission'],
  ): FilePermission {
    return { tenantId: tenant, username, systemId, path: `/${path}`, permission };
  }
}

const spec = ({ tenant }: Actor, { systemId, path }: Place, need: string) =>
  permissionSpec(tenant, need, systemId, path);
