import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, NotFound } from '@libs/envelope';
import { implies } from '@libs/security-client';
import { Authority } from '../domain/authority';
import { defaultRole, storedName, TENANT_ADMIN_ROLE, type RoleType } from '../domain/role-name';
import { GrantsStore } from '../store/grants.store';
import { RolesStore, type Role } from '../store/roles.store';

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
    private readonly authority: Authority,
  ) {}

  async grantRole(caller: Caller, { tenant, user, ...role }: RoleOf): Promise<number> {
    const found = await this.grantable(caller, tenant, role);
    return this.grants.grant(tenant, user, found.id);
  }

  async revokeRole(caller: Caller, { tenant, user, ...role }: RoleOf): Promise<number> {
    const found = await this.grantable(caller, tenant, role);
    if (found.name !== TENANT_ADMIN_ROLE) return this.grants.revoke(tenant, user, found.id);
    const changes = await this.grants.revokeUnlessLast(tenant, user, found.id);
    if (changes === undefined) {
      throw new BadInput(
        'SK_LAST_ADMIN',
        `${user} is the last admin of tenant ${tenant} and stays one.`,
      );
    }
    return changes;
  }

  async grantRoleWithPermission(
    caller: Caller,
    grant: RoleOf & { permSpec: string },
  ): Promise<number> {
    const found = await this.grantable(caller, grant.tenant, grant);
    const added = await this.roles.addPermission(found.id, grant.permSpec);
    return added + (await this.grants.grant(grant.tenant, grant.user, found.id));
  }

  async grantPermission(
    caller: Caller,
    { tenant, user, permSpec }: UserOf & { permSpec: string },
  ): Promise<number> {
    await this.authority.assertAdmin(caller, tenant);
    return this.grants.grantPermission(tenant, user, permSpec, {
      user: caller.jwtUser,
      tenant: caller.jwtTenant,
    });
  }

  async revokePermission(
    caller: Caller,
    { tenant, user, permSpec }: UserOf & { permSpec: string },
  ): Promise<number> {
    const self =
      caller.accountType === 'user' && caller.jwtTenant === tenant && caller.jwtUser === user;
    if (!self) await this.authority.assertAdmin(caller, tenant);
    return this.roles.removePermission(tenant, defaultRole(user), permSpec);
  }

  /** Whether the user holds all (or any) of the roles; a role nobody made is one that nobody holds. */
  async hasRoles(
    caller: Caller,
    asked: UserOf & { roleNames: string[]; roleType?: RoleType; orAdmin: boolean },
    all: boolean,
  ): Promise<boolean> {
    this.authority.assertMayAsk(caller, asked.tenant);
    if (asked.orAdmin && (await this.authority.isAdmin(asked.tenant, asked.user))) return true;
    const held = new Set(await this.grants.roleNames(asked.tenant, asked.user));
    const has = (name: string) => held.has(storedName(name, asked.roleType));
    return all ? asked.roleNames.every(has) : asked.roleNames.some(has);
  }

  async isPermitted(
    caller: Caller,
    asked: UserOf & { permSpecs: string[]; orAdmin: boolean },
    all: boolean,
  ): Promise<boolean> {
    this.authority.assertMayAsk(caller, asked.tenant);
    if (asked.orAdmin && (await this.authority.isAdmin(asked.tenant, asked.user))) return true;
    const schema = asked.permSpecs.length === 1 ? asked.permSpecs[0] : undefined;
    const held = await this.grants.permissions(asked.tenant, asked.user, schema);
    const permitted = (permission: string) => held.some((mine) => implies(mine, permission));
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
    role: { roleName: string; roleType?: RoleType },
  ): Promise<Role> {
    this.authority.assertMayAsk(caller, tenant);
    const found = await this.role(tenant, storedName(role.roleName, role.roleType));
    await this.authority.assertMayGrant(caller, tenant, found);
    return found;
  }

  private async role(tenant: string, name: string): Promise<Role> {
    const found = await this.roles.find(tenant, name);
    if (!found)
      throw new NotFound('SK_ROLE_NOT_FOUND', `Tenant ${tenant} has no role "${name}".`, name);
    return found;
  }
}
