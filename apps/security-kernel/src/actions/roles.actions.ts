import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, NotFound } from '@libs/envelope';
import { implies } from '@libs/security-client';
import { Authority } from '../domain/authority';
import { withNewPrefix, type PrefixChange } from '../domain/path-prefix';
import { assertCallerName, storedName, type RoleType } from '../domain/role-name';
import { RolesStore, type Role } from '../store/roles.store';

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
  ) {}

  /** Answers the stored name and whether the role was made just now. */
  async create(
    caller: Caller,
    role: Named & { description: string },
  ): Promise<{ name: string; made: boolean }> {
    if (role.roleType === 'RESTRICTED_SVC') await this.authority.assertSiteAdmin(caller);
    else await this.authority.assertAdmin(caller, role.roleTenant);
    assertCallerName(role.roleName);
    if (role.roleType && !['USER', 'RESTRICTED_SVC'].includes(role.roleType)) {
      throw new BadInput(
        'SK_ROLE_TYPE',
        `Roles of type ${role.roleType} are made by the security kernel alone.`,
      );
    }
    const name = storedName(role.roleName, role.roleType);
    const made = await this.roles.create(
      { tenant: role.roleTenant, name, description: role.description },
      author(caller),
    );
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
    return this.roles.remove(found.tenant, found.name);
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
    await this.change(caller, role, { name: newName });
  }

  async change(
    caller: Caller,
    role: Named,
    change: Partial<Pick<Role, 'name' | 'owner' | 'ownerTenant' | 'description'>>,
  ): Promise<void> {
    const found = await this.changeable(caller, role);
    if (change.ownerTenant) this.authority.assertMayAsk(caller, change.ownerTenant);
    await this.roles.update(found.tenant, found.name, change, author(caller));
  }

  async addPermission(caller: Caller, role: Named & { permSpec: string }): Promise<number> {
    const found = await this.changeable(caller, role);
    return this.roles.addPermission(found.id, role.permSpec);
  }

  async removePermission(caller: Caller, role: Named & { permSpec: string }): Promise<number> {
    const found = await this.changeable(caller, role);
    return this.roles.removePermission(found.tenant, found.name, role.permSpec);
  }

  async addChild(
    caller: Caller,
    tenant: string,
    parentName: string,
    childName: string,
  ): Promise<number> {
    const parent = await this.changeable(caller, { roleTenant: tenant, roleName: parentName });
    const child = await this.changeable(caller, { roleTenant: tenant, roleName: childName });
    const changes =
      parent.id === child.id ? undefined : await this.roles.addChild(parent.id, child.id);
    if (changes === undefined) {
      throw new BadInput(
        'SK_ROLE_CYCLE',
        `Role "${childName}" can't be below "${parentName}": that closes a circle.`,
      );
    }
    return changes;
  }

  async removeChild(
    caller: Caller,
    tenant: string,
    parentName: string,
    childName: string,
  ): Promise<number> {
    const parent = await this.changeable(caller, { roleTenant: tenant, roleName: parentName });
    const child = await this.existing({ roleTenant: tenant, roleName: childName });
    return this.roles.removeChild(parent.id, child.id);
  }

  async removePermissionFromAll(
    caller: Caller,
    tenant: string,
    permission: string,
  ): Promise<number> {
    this.authority.assertService(caller, tenant);
    return this.roles.removeFromAll(tenant, permission, false);
  }

  async removePathPermissionFromAll(
    caller: Caller,
    tenant: string,
    permission: string,
  ): Promise<number> {
    this.authority.assertService(caller, tenant, 'files');
    return this.roles.removeFromAll(tenant, permission, true);
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
    const held = await this.roles.pathPermissions(asked.tenant, asked.schema, name);
    const moves = held.flatMap((one) => {
      const next = withNewPrefix(one.permission, asked);
      return next === undefined ? [] : [{ ...one, next }];
    });
    if (apply) await this.roles.exchange(moves);
    return moves.map((m) => ({ permId: m.roleId, oldPerm: m.permission, newPerm: m.next }));
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
    if (!found)
      throw new NotFound('SK_ROLE_NOT_FOUND', `Tenant ${roleTenant} has no role "${name}".`, name);
    return found;
  }
}

const author = (caller: Caller) => ({ user: caller.jwtUser, tenant: caller.jwtTenant });
