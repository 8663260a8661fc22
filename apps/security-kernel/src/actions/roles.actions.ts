import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { isDuplicate } from '@libs/database';
import { BadInput, Conflict, NotFound } from '@libs/envelope';
import { implies, isPathPermission } from '@libs/security-client';
import type { EntityManager } from 'typeorm';
import { Authority } from '../domain/authority';
import { withNewPrefix, type PrefixChange } from '../domain/path-prefix';
import { LONGEST_PERMISSION } from '../domain/permission';
import { assertCallerName, storedName, type RoleType } from '../domain/role-name';
import { RolesStore, type Role } from '../store/roles.store';
import { Changes } from './changes';

/** Of a change of very many roles the record counts all and names the first ones. */
const MOST_NAMED = 1000;

interface Named {
  roleTenant: string;
  roleType?: RoleType;
  roleName: string;
}

/** What can be done with roles, each with its rule of who may. */
@Injectable()
export class RolesActions {
  constructor(
    private readonly roles: RolesStore,
    private readonly authority: Authority,
    private readonly changes: Changes,
  ) {}

  /** Answers the stored name and whether the role was made just now. */
  async create(
    caller: Caller,
    role: Named & { description: string },
  ): Promise<{ name: string; made: boolean }> {
    this.authority.assertMayAsk(caller, role.roleTenant);
    if (role.roleType === 'RESTRICTED_SVC') await this.authority.assertSiteAdmin(caller);
    else await this.authority.assertAdmin(caller, role.roleTenant);
    assertCallerName(role.roleName);
    if (role.roleType && !['USER', 'RESTRICTED_SVC'].includes(role.roleType)) {
      throw new BadInput(
        'SK_ROLE_TYPE',
        `Roles of type ${role.roleType} are made by the security kernel alone.`,
      );
    }
    const { roleTenant: tenant, description } = role;
    const name = storedName(role.roleName, role.roleType);
    const made = await this.changes.make(caller, async (tx, record) => {
      const isNew = await this.roles.create(tx, { tenant, name, description }, author(caller));
      if (isNew) record({ tenant, action: 'role.create', object: name, details: { description } });
      return isNew;
    });
    return { name, made };
  }

  async names(caller: Caller, tenant: string, type?: RoleType): Promise<string[]> {
    this.authority.assertMayAsk(caller, tenant);
    return this.roles.names(tenant, type);
  }

  async get(caller: Caller, role: Named): Promise<Role> {
    this.authority.assertMayAsk(caller, role.roleTenant);
    return this.existing(role);
  }

  async remove(caller: Caller, role: Named): Promise<number> {
    const found = await this.changeable(caller, role);
    const remove = async (tx: EntityManager, { id }: Role) => ({
      changes: await this.roles.remove(tx, id),
      action: 'role.delete',
    });
    return this.change(caller, found, remove, true);
  }

  async permissions(caller: Caller, role: Named, immediate: boolean): Promise<string[]> {
    const found = await this.get(caller, role);
    return this.roles.permissions(found.tenant, found.name, immediate);
  }

  async permits(
    caller: Caller,
    role: Named & { permSpec: string },
    immediate: boolean,
  ): Promise<boolean> {
    const found = await this.get(caller, role);
    const held = await this.roles.permissions(found.tenant, found.name, immediate);
    return held.some((permission) => implies(permission, role.permSpec));
  }

  async rename(caller: Caller, role: Named, newName: string): Promise<void> {
    assertCallerName(newName);
    const found = await this.changeable(caller, role);
    const name = storedName(newName, found.type);
    await this.update(caller, found, 'role.rename', { name });
  }

  async changeOwner(
    caller: Caller,
    role: Named,
    owner: string,
    ownerTenant?: string,
  ): Promise<void> {
    const found = await this.changeable(caller, role);
    if (ownerTenant) this.authority.assertMayAsk(caller, ownerTenant);
    await this.update(caller, found, 'role.changeOwner', { owner, ownerTenant });
  }

  async describe(caller: Caller, role: Named, description: string): Promise<void> {
    const found = await this.changeable(caller, role);
    await this.update(caller, found, 'role.describe', { description });
  }

  async addPermission(caller: Caller, role: Named & { permSpec: string }): Promise<number> {
    const { permSpec: permission } = role;
    return this.change(caller, await this.changeable(caller, role), async (tx, { id }) => ({
      changes: await this.roles.addPermission(tx, id, permission),
      action: 'role.addPermission',
      details: { permission },
    }));
  }

  async removePermission(caller: Caller, role: Named & { permSpec: string }): Promise<number> {
    const { permSpec: permission } = role;
    return this.change(caller, await this.changeable(caller, role), async (tx, found) => ({
      changes: await this.roles.removePermission(tx, found, permission),
      action: 'role.removePermission',
      details: { permission },
    }));
  }

  async addChild(
    caller: Caller,
    tenant: string,
    parentName: string,
    childName: string,
  ): Promise<number> {
    const parent = await this.changeable(caller, { roleTenant: tenant, roleName: parentName });
    const child = await this.changeable(caller, { roleTenant: tenant, roleName: childName });
    for (const { name, type } of [parent, child])
      if (type !== 'USER')
        throw new BadInput('SK_ROLE_TYPE', `Role "${name}" is of type ${type}: only USER nests.`);
    return this.change(caller, parent, async (tx) => {
      const below = await this.locked(tx, child);
      const changes =
        parent.id === below.id
          ? undefined
          : await this.roles.addChild(tx, tenant, parent.id, below.id);
      if (changes === undefined) {
        throw new BadInput(
          'SK_ROLE_CYCLE',
          `Role "${childName}" can't be below "${parentName}": that closes a circle.`,
        );
      }
      return { changes, action: 'role.addChild', details: { child: child.name } };
    });
  }

  async removeChild(
    caller: Caller,
    tenant: string,
    parentName: string,
    childName: string,
  ): Promise<number> {
    const parent = await this.changeable(caller, { roleTenant: tenant, roleName: parentName });
    const child = await this.existing({ roleTenant: tenant, roleName: childName });
    return this.change(caller, parent, async (tx) => ({
      changes: await this.roles.removeChild(tx, parent.id, child.id),
      action: 'role.removeChild',
      details: { child: child.name },
    }));
  }

  /** The very permission or, with `below`, every path permission that begins so. */
  async removePermissionFromAll(
    caller: Caller,
    tenant: string,
    permission: string,
    below = false,
  ): Promise<number> {
    this.authority.assertService(caller, tenant, ...(below ? ['files'] : []));
    const prefix = below && isPathPermission(permission);
    return this.changes.make(caller, async (tx, record) => {
      const gone = await this.roles.removeFromAll(tx, tenant, permission, prefix);
      const changes = gone.length;
      const from = gone.slice(0, MOST_NAMED);
      const details = { permission, changes, ...(below && { below }), from };
      if (changes) record({ tenant, action: 'role.removeFromAll', object: '*', details });
      return changes;
    });
  }

  /** What an exchange of prefixes would change; with `apply` it is changed. */
  async replacePathPrefix(
    caller: Caller,
    asked: PrefixChange & {
      tenant: string;
      schema: string;
      roleName?: string;
      roleType?: RoleType;
    },
    apply: boolean,
  ): Promise<{ permId: number; oldPerm: string; newPerm: string }[]> {
    if (!apply) this.authority.assertMayAsk(caller, asked.tenant);
    else if (caller.accountType === 'service')
      this.authority.assertService(caller, asked.tenant, 'files');
    else await this.authority.assertAdmin(caller, asked.tenant);
    const name = asked.roleName && storedName(asked.roleName, asked.roleType);
    const { tenant, schema, oldSystemId, newSystemId, oldPrefix, newPrefix } = asked;
    const moves = async (tx?: EntityManager) =>
      (await this.roles.pathPermissions(tenant, schema, name, tx)).flatMap((one) => {
        const next = isPathPermission(one.permission)
          ? withNewPrefix(one.permission, asked)
          : undefined;
        return next === undefined ? [] : [{ ...one, next: fitting(next) }];
      });
    const found = apply
      ? await this.changes.make(caller, async (tx, record) => {
          const all = await moves(tx);
          await this.roles.exchange(tx, all);
          const details = { schema, oldSystemId, newSystemId, oldPrefix, newPrefix };
          const object = name ?? '*';
          if (all.length)
            record({
              tenant,
              action: 'role.replacePathPrefix',
              object,
              details: { ...details, changes: all.length, moved: named(all) },
            });
          return all;
        })
      : await moves();
    return found.map((m) => ({ permId: m.id, oldPerm: m.permission, newPerm: m.next }));
  }

  private async update(
    caller: Caller,
    role: Role,
    action: string,
    change: Partial<Pick<Role, 'name' | 'owner' | 'ownerTenant' | 'description'>>,
  ): Promise<void> {
    const update = async (tx: EntityManager, { id }: Role) => {
      await this.roles.update(tx, id, change, author(caller));
      return { changes: 1, action, details: change };
    };
    await this.change(caller, role, update, true).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      throw new Conflict('SK_ROLE_EXISTS', `Tenant ${role.tenant} has a role "${change.name}".`);
    });
  }

  /** Changes one role, which stays while that is done; `alone`: nothing else is done with it meanwhile. */
  private change(
    caller: Caller,
    role: Role,
    work: (
      tx: EntityManager,
      role: Role,
    ) => Promise<{ changes: number; action: string; details?: object }>,
    alone = false,
  ): Promise<number> {
    return this.changes.make(caller, async (tx, record) => {
      const { tenant, name: object } = role;
      const { changes, ...what } = await work(tx, await this.locked(tx, role, alone));
      if (changes) record({ tenant, object, ...what });
      return changes;
    });
  }

  private async locked(tx: EntityManager, role: Role, change = false): Promise<Role> {
    const found = await this.roles.lock(tx, role, change);
    if (!found) throw missing(role.tenant, role.name);
    return found;
  }

  private async changeable(caller: Caller, role: Named): Promise<Role> {
    this.authority.assertMayAsk(caller, role.roleTenant);
    const found = await this.existing(role);
    await this.authority.assertMayChange(caller, role.roleTenant, found);
    return found;
  }

  private async existing({ roleTenant, roleType, roleName }: Named): Promise<Role> {
    const name = storedName(roleName, roleType);
    const found = await this.roles.find(roleTenant, name);
    if (!found) throw missing(roleTenant, name);
    return found;
  }
}

function missing(tenant: string, name: string): NotFound {
  return new NotFound('SK_ROLE_NOT_FOUND', `Tenant ${tenant} has no role "${name}".`, name);
}

const named = (moves: { role: string; permission: string; next: string }[]) =>
  moves.slice(0, MOST_NAMED).map(({ role, permission, next }) => ({ role, permission, next }));

function fitting(permission: string): string {
  if (permission.length > LONGEST_PERMISSION)
    throw new BadInput(
      'SK_PERMISSION_LENGTH',
      `A permission would become longer than ${LONGEST_PERMISSION} characters: "${permission.slice(0, 80)}…".`,
    );
  return permission;
}

const author = (caller: Caller) => ({ user: caller.jwtUser, tenant: caller.jwtTenant });
