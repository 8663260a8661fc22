import { Forbidden } from '@libs/envelope';
import type { SecurityClient } from '@libs/security-client';
import type { Actor, KnownSystem, SystemRecord } from './system-record';
import { missing, type SystemsClient } from './systems-client';

export type Need = 'READ' | 'MODIFY';

export interface AccessQuestion {
  actor: Actor;
  systemId: string;
  /** Normalised, relative to the root; all of them are asked about. */
  paths: string[];
  need: Need;
  /** Whoever shared an app with the actor: what is allowed to them counts too. Only other services say so. */
  sharedCtx?: string | null;
}

export interface Granted {
  system: SystemRecord;
  /** Not the owner: links must not lead out of the root. */
  jailed: boolean;
}

/** Decides who may read or change a path of a system. Tenant administrators have no extra right here. */
export class FileAccess {
  constructor(
    private readonly systems: SystemsClient,
    private readonly security: SecurityClient,
  ) {}

  /** Answers the system, or refuses: 404 what the actor may not see at all, 403 what they may not do. */
  async require(question: AccessQuestion): Promise<Granted> {
    const { actor, systemId, sharedCtx } = question;
    const known = await this.systems.get(actor, systemId);
    const { system } = known;
    if (system.owner === actor.user) return { system, jailed: false };
    if (sharedCtx && system.owner === sharedCtx) return { system, jailed: true };
    if (await this.isAllowed(known, question)) return { system, jailed: true };
    const { tenant, user } = actor;
    if (!known.visible) throw missing(tenant, systemId);
    const where = question.paths.map((p) => `/${p}`).join(', ');
    throw new Forbidden(
      'FILES_NOT_AUTHORIZED',
      `User ${user} of tenant ${tenant} has no ${question.need} permission on system ${systemId} path ${where}`,
    );
  }

  /** Only the owner of a system gives and takes permissions and shares. */
  async requireOwner(actor: Actor, systemId: string): Promise<SystemRecord> {
    const { system, visible } = await this.systems.get(actor, systemId);
    if (system.owner === actor.user) return system;
    if (!visible) throw missing(actor.tenant, systemId);
    throw new Forbidden(
      'FILES_PERM_NOT_AUTH',
      `User ${actor.user} of tenant ${actor.tenant} is not the owner of system ${systemId}`,
    );
  }

  private async isAllowed(known: KnownSystem, question: AccessQuestion): Promise<boolean> {
    const { actor, paths, need, sharedCtx } = question;
    const { tenant } = actor;
    const dynamic = (known.system.isDynamicEffectiveUser || known.system.useProxy) ?? false;
    if (need === 'READ' || dynamic) {
      const shared = { tenant, resourceType: 'system', resourceId1: known.system.id };
      const grantee = actor.user;
      if (await this.security.hasPrivilege({ ...shared, grantee, privilege: 'READ' })) return true;
    }
    const people = sharedCtx ? [actor.user, sharedCtx] : [actor.user];
    if (need === 'READ' || dynamic || sharedCtx) {
      const held = await Promise.all(people.map((user) => this.sharedPaths(known, tenant, user)));
      const isShared = (path: string) => held.flat().some((folder) => isBelow(`/${path}`, folder));
      if (paths.every(isShared)) return true;
    }
    if (!known.visible && !sharedCtx) return false;
    return this.holdsPermission(question, sharedCtx ?? actor.user);
  }

  private async sharedPaths(known: KnownSystem, tenant: string, user: string): Promise<string[]> {
    const shares = await this.security.shares({
      tenant,
      grantee: user,
      resourceType: 'file',
      resourceId1: known.system.id,
      resourceId2: '%',
      includePublicGrantees: true,
    });
    return shares.map((share) => share.resourceId2 ?? '/');
  }

  private async holdsPermission(question: AccessQuestion, user: string): Promise<boolean> {
    const { actor, systemId, paths, need } = question;
    const { tenant } = actor;
    const needs = need === 'READ' ? ['READ', 'MODIFY'] : ['MODIFY'];
    for (const path of paths) {
      const specs = needs.map((n) => permissionSpec(tenant, n, systemId, path));
      if (!(await this.security.isPermittedAny({ tenant, user }, specs))) return false;
    }
    return true;
  }
}

/** How a permission on a path is written in the security kernel. */
export function permissionSpec(
  tenant: string,
  need: string,
  systemId: string,
  path: string,
): string {
  return `files:${tenant}:${need}:${systemId}:/${path}`;
}

function isBelow(path: string, folder: string): boolean {
  const trimmed = folder.replace(/\/+$/, '');
  return trimmed === '' || path === trimmed || path.startsWith(`${trimmed}/`);
}
