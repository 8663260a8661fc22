import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Caller, Public, Repeatable } from '@libs/auth';
import { reply } from '@libs/envelope';
import { UsersActions } from '../actions/users.actions';
import { assertHasDefaultRole, defaultRole, TENANT_ADMIN_ROLE } from '../domain/role-name';
import { authorized, changes, names } from './results';
import { RoleQuery } from './role.requests';
import {
  PermissionQuestion,
  PermissionsQuery,
  PermissionsQuestion,
  RoleQuestion,
  RolesQuestion,
  TenantQuery,
  UserBody,
  UserPermission,
  UserRole,
  UserRoleWithPermission,
} from './user.requests';

const TENANT_ADMIN = { roleName: TENANT_ADMIN_ROLE, roleType: 'TENANT_ADMIN' } as const;

@Controller('v3/security/user')
export class UsersController {
  constructor(private readonly users: UsersActions) {}

  @Post('grantRole')
  async grantRole(@Caller() caller: Caller, @Body() body: UserRole) {
    return changes(await this.users.grantRole(caller, body));
  }

  @Post(['revokeRole', 'revokeUserRole'])
  async revokeRole(@Caller() caller: Caller, @Body() body: UserRole) {
    return changes(await this.users.revokeRole(caller, body));
  }

  @Post('grantAdminRole')
  async grantAdmin(@Caller() caller: Caller, @Body() body: UserBody) {
    return changes(await this.users.grantRole(caller, { ...body, ...TENANT_ADMIN }));
  }

  @Post('revokeAdminRole')
  async revokeAdmin(@Caller() caller: Caller, @Body() body: UserBody) {
    return changes(await this.users.revokeRole(caller, { ...body, ...TENANT_ADMIN }));
  }

  @Post('grantRoleWithPerm')
  async grantRoleWithPermission(@Caller() caller: Caller, @Body() body: UserRoleWithPermission) {
    return changes(await this.users.grantRoleWithPermission(caller, body));
  }

  @Post('grantUserPermission')
  async grantPermission(@Caller() caller: Caller, @Body() body: UserPermission) {
    return changes(await this.users.grantPermission(caller, body));
  }

  @Post('revokeUserPermission')
  async revokePermission(@Caller() caller: Caller, @Body() body: UserPermission) {
    return changes(await this.users.revokePermission(caller, body));
  }

  @Repeatable()
  @Post('hasRole')
  async hasRole(@Caller() caller: Caller, @Body() body: RoleQuestion) {
    return authorized(
      await this.users.hasRoles(caller, { ...body, roleNames: [body.roleName] }, true),
    );
  }

  @Repeatable()
  @Post('hasRoleAny')
  async hasRoleAny(@Caller() caller: Caller, @Body() body: RolesQuestion) {
    return authorized(await this.users.hasRoles(caller, body, false));
  }

  @Repeatable()
  @Post('hasRoleAll')
  async hasRoleAll(@Caller() caller: Caller, @Body() body: RolesQuestion) {
    return authorized(await this.users.hasRoles(caller, body, true));
  }

  @Repeatable()
  @Post('isPermitted')
  async isPermitted(@Caller() caller: Caller, @Body() body: PermissionQuestion) {
    return authorized(
      await this.users.isPermitted(caller, { ...body, permSpecs: [body.permSpec] }, true),
    );
  }

  @Repeatable()
  @Post('isPermittedAny')
  async isPermittedAny(@Caller() caller: Caller, @Body() body: PermissionsQuestion) {
    return authorized(await this.users.isPermitted(caller, body, false));
  }

  @Repeatable()
  @Post('isPermittedAll')
  async isPermittedAll(@Caller() caller: Caller, @Body() body: PermissionsQuestion) {
    return authorized(await this.users.isPermitted(caller, body, true));
  }

  @Repeatable()
  @Post('isAdmin')
  async isAdmin(@Caller() caller: Caller, @Body() body: UserBody) {
    return authorized(await this.users.isAdmin(caller, body));
  }

  @Get()
  async list(@Caller() caller: Caller, @Query() { tenant }: TenantQuery) {
    return names(await this.users.users(caller, tenant));
  }

  @Get('admins/:tenant')
  async admins(@Caller() caller: Caller, @Param('tenant') tenant: string) {
    return names(await this.users.holders(caller, tenant, TENANT_ADMIN_ROLE));
  }

  @Public()
  @Get('defaultRole/:user')
  default(@Param('user') user: string) {
    assertHasDefaultRole(user);
    return reply('SK_FOUND', 'name of the default role', { name: defaultRole(user) });
  }

  @Get('roles/:user')
  async roles(
    @Caller() caller: Caller,
    @Param('user') user: string,
    @Query() { tenant }: TenantQuery,
  ) {
    return names(await this.users.roleNames(caller, { tenant, user }));
  }

  @Get('perms/:user')
  async permissions(
    @Caller() caller: Caller,
    @Param('user') user: string,
    @Query() query: PermissionsQuery,
  ) {
    return names(await this.users.permissions(caller, { ...query, user }));
  }

  @Get('withRole/:roleName')
  async withRole(
    @Caller() caller: Caller,
    @Param('roleName') name: string,
    @Query() { tenant, roleType }: RoleQuery,
  ) {
    return names(await this.users.holders(caller, tenant, name, roleType));
  }

  @Get('withPermission/:permSpec')
  async withPermission(
    @Caller() caller: Caller,
    @Param('permSpec') pattern: string,
    @Query() { tenant }: TenantQuery,
  ) {
    return names(await this.users.usersWithPermission(caller, tenant, pattern));
  }
}
