import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Caller, Public, Repeatable } from '@libs/auth';
import { reply } from '@libs/envelope';
import { RolesActions } from '../actions/roles.actions';
import { assertHasDefaultRole, defaultRole } from '../domain/role-name';
import { authorized, changes, done, made, names } from './results';
import {
  ImmediateQuery,
  NewRole,
  PathPrefixChange,
  PermissionRemoval,
  PermitsQuestion,
  RoleDescriptionChange,
  RoleNameChange,
  RoleNesting,
  RoleOwnerChange,
  RolePermission,
  RoleQuery,
} from './role.requests';

@Controller('v3/security/role')
export class RolesController {
  constructor(private readonly roles: RolesActions) {}

  @Post()
  @HttpCode(201)
  async create(@Caller() caller: Caller, @Body() body: NewRole) {
    const { name, made: isNew } = await this.roles.create(caller, body);
    return made(`/v3/security/role/${encodeURIComponent(name)}`, isNew);
  }

  @Get()
  async list(@Caller() caller: Caller, @Query() { tenant, roleType }: RoleQuery) {
    return names(await this.roles.names(caller, tenant, roleType));
  }

  @Public()
  @Get('defaultRole/:user')
  default(@Param('user') user: string) {
    assertHasDefaultRole(user);
    return reply('SK_FOUND', 'name of the default role', { name: defaultRole(user) });
  }

  @Get(':roleName')
  async get(
    @Caller() caller: Caller,
    @Param('roleName') roleName: string,
    @Query() { tenant, roleType }: RoleQuery,
  ) {
    return reply(
      'SK_FOUND',
      roleName,
      await this.roles.get(caller, { roleTenant: tenant, roleType, roleName }),
    );
  }

  @Delete(':roleName')
  async remove(
    @Caller() caller: Caller,
    @Param('roleName') roleName: string,
    @Query() { tenant, roleType }: RoleQuery,
  ) {
    return changes(await this.roles.remove(caller, { roleTenant: tenant, roleType, roleName }));
  }

  @Get(':roleName/perms')
  async permissions(
    @Caller() caller: Caller,
    @Param('roleName') roleName: string,
    @Query() { tenant, roleType, immediate }: RoleQuery,
  ) {
    const role = { roleTenant: tenant, roleType, roleName };
    return names(await this.roles.permissions(caller, role, immediate ?? false));
  }

  @Repeatable()
  @Post(':roleName/permits')
  async permits(
    @Caller() caller: Caller,
    @Param('roleName') roleName: string,
    @Body() body: PermitsQuestion,
    @Query() query: ImmediateQuery,
  ) {
    return authorized(
      await this.roles.permits(caller, { ...body, roleName }, query.immediate ?? false),
    );
  }

  @Post('updateName/:roleName')
  async rename(
    @Caller() caller: Caller,
    @Param('roleName') roleName: string,
    @Body() body: RoleNameChange,
  ) {
    await this.roles.rename(caller, { ...body, roleName }, body.newRoleName);
    return done();
  }

  @Post('updateOwner/:roleName')
  async changeOwner(
    @Caller() caller: Caller,
    @Param('roleName') roleName: string,
    @Body() body: RoleOwnerChange,
  ) {
    const { newOwner, newTenant } = body;
    await this.roles.changeOwner(caller, { ...body, roleName }, newOwner, newTenant);
    return done();
  }

  @Post('updateDesc/:roleName')
  async describe(
    @Caller() caller: Caller,
    @Param('roleName') roleName: string,
    @Body() body: RoleDescriptionChange,
  ) {
    await this.roles.describe(caller, { ...body, roleName }, body.newDescription);
    return done();
  }

  @Post('addPerm')
  async addPermission(@Caller() caller: Caller, @Body() body: RolePermission) {
    return changes(await this.roles.addPermission(caller, body));
  }

  @Post('removePerm')
  async removePermission(@Caller() caller: Caller, @Body() body: RolePermission) {
    return changes(await this.roles.removePermission(caller, body));
  }

  @Post('addChild')
  async addChild(@Caller() caller: Caller, @Body() body: RoleNesting) {
    return changes(
      await this.roles.addChild(caller, body.roleTenant, body.parentRoleName, body.childRoleName),
    );
  }

  @Post('removeChild')
  async removeChild(@Caller() caller: Caller, @Body() body: RoleNesting) {
    return changes(
      await this.roles.removeChild(
        caller,
        body.roleTenant,
        body.parentRoleName,
        body.childRoleName,
      ),
    );
  }

  @Post('removePermFromAllRoles')
  async removeFromAll(@Caller() caller: Caller, @Body() body: PermissionRemoval) {
    return changes(await this.roles.removePermissionFromAll(caller, body.tenant, body.permSpec));
  }

  @Post('removePathPermFromAllRoles')
  async removePathFromAll(@Caller() caller: Caller, @Body() body: PermissionRemoval) {
    return changes(
      await this.roles.removePermissionFromAll(caller, body.tenant, body.permSpec, true),
    );
  }

  @Repeatable()
  @Post('previewPathPrefix')
  async previewPathPrefix(@Caller() caller: Caller, @Body() body: PathPrefixChange) {
    const found = await this.roles.replacePathPrefix(caller, body, false);
    return reply('SK_FOUND', `${found.length} permissions`, found);
  }

  @Post('replacePathPrefix')
  async replacePathPrefix(@Caller() caller: Caller, @Body() body: PathPrefixChange) {
    return changes((await this.roles.replacePathPrefix(caller, body, true)).length);
  }
}
