import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, NotFound } from '@libs/envelope';
import { implies } from '@libs/security-client';
import type { EntityManager } from 'typeorm';
import { Authority } from '../domain/authority';
import {
  assertHasDefaultRole,
  defaultRole,
  storedName,
  TENANT_ADMIN_ROLE,
  type RoleType,
} from '../domain/role-name';
import { GrantsStore } from '../store/grants.store';
import { HeldByUsers } from '../store/held-by-users';
import { RolesStore, type Role } from '../store/roles.store';
import { Changes } from './changes';

interface UserOf {
  tenant: string;
  user: string;
}
type RoleOf = UserOf & { roleName: string; roleType?: RoleType };

/** Roles and permissions of users: granting them, and the questions services ask. */
@Injectable()
export class UsersActions {
  constructor(
    private readonly grants: GrantsStore,
    private readonly roles: RolesStore,
    private readonly held: HeldByUsers,
    private readonly authority: Authority,
    private readonly changes: Changes,
  ) {}

  async grantRole(caller: Caller, { tenant, user, ...role }: RoleOf): Promise<number> {
    const found = await this.grantable(caller, tenant, role);
    return this.changes.make(caller, async (tx, record) => {
      const { id } = await this.locked(tx, found);
      const changes = await this.grants.grant(tx, tenant, user, id);
      const details = { role: found.name };
      if (changes) record({ tenant, action: 'user.grantRole', object: user, details });
      return changes;
    });
  }

  async revokeRole(caller: Caller, { tenant, user, ...role }: RoleOf): Promise<number> {
    const found = await this.grantable(caller, tenant, role);
    const isAdmin = found.name === TENANT_ADMIN_ROLE;
    return this.changes.make(caller, async (tx, record) => {
      const { id } = await this.locked(tx, found, isAdmin);
      const changes = await this.grants.revoke(tx, tenant, user, id);
      if (changes && isAdmin && !(await this.grants.othersHold(tx, tenant, user, id))) {
        throw new BadInput(
          'SK_LAST_ADMIN',
          `${user} is the last admin of tenant ${tenant} and stays one.`,
        );
      }
      const details = { role: found.name };
      if (changes) record({ tenant, action: 'user.revokeRole', object: user, details });
      return changes;
    });
  }

  /** Both or neither. */
  async grantRoleWithPermission(
    caller: Caller,
    { tenant, user, permSpec: permission, ...role }: RoleOf & { permSpec: string },
  ): Promise<number> {
    const found = await this.grantable(caller, tenant, role);
    return this.changes.make(caller, async (tx, record) => {
      const { id } = await this.locked(tx, found);
      const added = await this.roles.addPermission(tx, id, permission);
      const granted = await this.grants.grant(tx, tenant, user, id);
      const details = { permission };
      if (added) record({ tenant, action: 'role.addPermission', object: found.name, details });
      if (granted)
        record({ tenant, action: 'user.grantRole', object: user, details: { role: found.name } });
      return added + granted;
    });
  }

  async grantPermission(
    caller: Caller,
    { tenant, user, permSpec: permission }: UserOf & { permSpec: string },
  ): Promise<number> {
    await this.authority.assertAdmin(caller, tenant);
    assertHasDefaultRole(user);
    const author = { user: caller.jwtUser, tenant: caller.jwtTenant };
    return this.changes.make(caller, async (tx, record) => {
      const changes = await this.grants.grantPermission(tx, tenant, user, permission, author);
      const details = { permission };
      if (changes) record({ tenant, action: 'user.grantPermission', object: user, details });
      return changes;
    });
  }

  async revokePermission(
    caller: Caller,
    { tenant, user, permSpec: permission }: UserOf & { permSpec: string },
  ): Promise<number> {
    const self =
      caller.accountType === 'user' && caller.jwtTenant === tenant && caller.jwtUser === user;
    if (!self) await this.authority.assertAdmin(caller, tenant);
    const role = { tenant, name: defaultRole(user) };
    return this.changes.make(caller, async (tx, record) => {
      const changes = await this.roles.removePermission(tx, role, permission);
      const details = { permission };
      if (changes) record({ tenant, action: 'user.revokePermission', object: user, details });
      return changes;
    });
  }

  /** Whether the user holds all (or any) of the roles; a role nobody made is one that nobody holds. */
  async hasRoles(
    caller: Caller,
    asked: UserOf & { roleNames: string[]; roleType?: RoleType; orAdmin: boolean },
    all: boolean,
  ): Promise<boolean> {
    this.authority.assertMayAsk(caller, asked.tenant);
    if (asked.orAdmin && (await this.authority.isAdmin(asked.tenant, asked.user))) return true;
    const { roles } = await this.held.of(asked.tenant, asked.user);
    const has = (name: string) => roles.has(storedName(name, asked.roleType));
    return all ? asked.roleNames.every(has) : asked.roleNames.some(has);
  }

  async isPermitted(
    caller: Caller,
    asked: UserOf & { permSpecs: string[]; orAdmin: boolean },
    all: boolean,
  ): Promise<boolean> {
    this.authority.assertMayAsk(caller, asked.tenant);
    if (asked.orAdmin && (await this.authority.isAdmin(asked.tenant, asked.user))) return true;
    const { permissions } = await this.held.of(asked.tenant, asked.user);
    const permitted = (permission: string) => permissions.implies(permission);
    return all ? asked.permSpecs.every(permitted) : asked.permSpecs.some(permitted);
  }

  async isAdmin(caller: Caller, { tenant, user }: UserOf): Promise<boolean> {
    this.authority.assertMayAsk(caller, tenant);
    return this.authority.isAdmin(tenant, user);
  }

  async users(caller: Caller, tenant: string): Promise<string[]> {
    this.authority.assertMayAsk(caller, tenant);
    return this.grants.users(tenant);
  }

  async roleNames(caller: Caller, { tenant, user }: UserOf): Promise<string[]> {
    this.authority.assertMayAsk(caller, tenant);
    return this.grants.roleNames(tenant, user);
  }

  async permissions(
    caller: Caller,
    asked: UserOf & { implies?: string; impliedBy?: string },
  ): Promise<string[]> {
    this.authority.assertMayAsk(caller, asked.tenant);
    const held = await this.grants.permissions(asked.tenant, asked.user);
    return held
      .filter((p) => !asked.implies || implies(asked.implies, p))
      .filter((p) => !asked.impliedBy || implies(p, asked.impliedBy));
  }

  async holders(
    caller: Caller,
    tenant: string,
    roleName: string,
    roleType?: RoleType,
  ): Promise<string[]> {
    this.authority.assertMayAsk(caller, tenant);
    return this.grants.holders(
      tenant,
      (await this.role(tenant, storedName(roleName, roleType))).id,
    );
  }

  async usersWithPermission(caller: Caller, tenant: string, pattern: string): Promise<string[]> {
    this.authority.assertMayAsk(caller, tenant);
    if (pattern.startsWith('%')) {
      throw new BadInput('SK_PERMISSION_PATTERN', 'The pattern may not begin with %.');
    }
    return this.grants.usersWithPermission(tenant, pattern);
  }

  private async grantable(
    caller: Caller,
    tenant: string,
    { roleName, roleType }: { roleName: string; roleType?: RoleType },
  ): Promise<Role> {
    this.authority.assertMayAsk(caller, tenant);
    // As it always was: who gives the administration away says so (platform contract, 5.5).
    if (roleName === TENANT_ADMIN_ROLE && roleType !== 'TENANT_ADMIN') {
      throw new BadInput(
        'SK_ROLE_TYPE',
        `Role ${TENANT_ADMIN_ROLE} is granted and revoked with roleType TENANT_ADMIN.`,
      );
    }
    const found = await this.role(tenant, storedName(roleName, roleType));
    await this.authority.assertMayGrant(caller, tenant, found);
    return found;
  }

  private async locked(tx: EntityManager, role: Role, change = false): Promise<Role> {
    const found = await this.roles.lock(tx, role, change);
    if (!found) throw missing(role.tenant, role.name);
    return found;
  }

  private async role(tenant: string, name: string): Promise<Role> {
    const found = await this.roles.find(tenant, name);
    if (!found) throw missing(tenant, name);
    return found;
  }
}

function missing(tenant: string, name: string): NotFound {
  return new NotFound('SK_ROLE_NOT_FOUND', `Tenant ${tenant} has no role "${name}".`, name);
}
