import { Choice, Flag, Text } from '@libs/fields';
import { ROLE_LENGTH, TENANT_LENGTH } from './limits';
import { LONGEST_PERMISSION } from '../domain/permission';
import { ROLE_TYPES, type RoleType } from '../domain/role-name';

const PERMISSION = {
  min: 1,
  max: LONGEST_PERMISSION,
  // A path may begin or end with a blank.
  trim: false,
  description: 'A permission, for example system:dev:READ:vm1',
};

export class ImmediateQuery {
  @Flag({ optional: true, description: 'Only what the role itself holds' }) immediate?: boolean;
}

export class RoleQuery extends ImmediateQuery {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
  @Choice(ROLE_TYPES, { optional: true }) roleType?: RoleType;
}

class RoleBody {
  @Text({ min: 1, max: TENANT_LENGTH }) roleTenant!: string;
  @Choice(ROLE_TYPES, { optional: true }) roleType?: RoleType;
}

export class NewRole extends RoleBody {
  @Text({ min: 1, max: 58 }) roleName!: string;
  @Text({ min: 0, max: 2048 }) description!: string;
}

export class RolePermission extends RoleBody {
  @Text({ min: 1, max: ROLE_LENGTH }) roleName!: string;
  @Text(PERMISSION) permSpec!: string;
}

export class PermitsQuestion extends RoleBody {
  @Text(PERMISSION) permSpec!: string;
}

export class RoleNameChange extends RoleBody {
  @Text({ min: 1, max: 58 }) newRoleName!: string;
}

export class RoleOwnerChange extends RoleBody {
  @Text({ min: 1, max: 60 }) newOwner!: string;
  @Text({ optional: true, max: TENANT_LENGTH }) newTenant?: string;
}

export class RoleDescriptionChange extends RoleBody {
  @Text({ min: 0, max: 2048 }) newDescription!: string;
}

export class RoleNesting {
  @Text({ min: 1, max: TENANT_LENGTH }) roleTenant!: string;
  @Text({ min: 1, max: 58 }) parentRoleName!: string;
  @Text({ min: 1, max: 58 }) childRoleName!: string;
}

export class PermissionRemoval {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
  @Text(PERMISSION) permSpec!: string;
}

/** Moves path permissions from one system or folder to another; an omitted prefix means any, or none. */
export class PathPrefixChange {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
  @Text({ min: 1, max: 80 }) schema!: string;
  @Choice(ROLE_TYPES, { optional: true }) roleType?: RoleType;
  @Text({ optional: true, max: ROLE_LENGTH }) roleName?: string;
  @Text({ min: 1, max: 80 }) oldSystemId!: string;
  @Text({ min: 1, max: 80 }) newSystemId!: string;
  @Text({ optional: true, max: 2048, trim: false }) oldPrefix?: string;
  @Text({ optional: true, max: 2048, trim: false }) newPrefix?: string;
}
