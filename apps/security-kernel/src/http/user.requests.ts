import { Choice, Flag, Items, Text } from '@libs/fields';
import { ROLE_LENGTH, TENANT_LENGTH } from './limits';
import { LONGEST_PERMISSION } from '../domain/permission';
import { ROLE_TYPES, type RoleType } from '../domain/role-name';

// A path may begin or end with a blank.
const PERMISSION = { min: 1, max: LONGEST_PERMISSION, trim: false };

export class UserBody {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
  @Text({ min: 1, max: 60 }) user!: string;
}

class UserQuestion extends UserBody {
  @Flag({ default: false, description: 'A tenant admin passes whatever the roles say' })
  orAdmin!: boolean;
}

export class UserRole extends UserBody {
  @Choice(ROLE_TYPES, { optional: true }) roleType?: RoleType;
  @Text({ min: 1, max: ROLE_LENGTH }) roleName!: string;
}

export class UserRoleWithPermission extends UserRole {
  @Text(PERMISSION) permSpec!: string;
}

export class UserPermission extends UserBody {
  @Text(PERMISSION) permSpec!: string;
}

export class RoleQuestion extends UserQuestion {
  @Choice(ROLE_TYPES, { optional: true }) roleType?: RoleType;
  @Text({ min: 1, max: ROLE_LENGTH }) roleName!: string;
}

export class RolesQuestion extends UserQuestion {
  @Items(String, { minItems: 1, max: ROLE_LENGTH }) roleNames!: string[];
}

export class PermissionQuestion extends UserQuestion {
  @Text(PERMISSION) permSpec!: string;
}

export class PermissionsQuestion extends UserQuestion {
  @Items(String, { minItems: 1, max: LONGEST_PERMISSION, trim: false }) permSpecs!: string[];
}

export class TenantQuery {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
}

export class PermissionsQuery extends TenantQuery {
  @Text({ optional: true, max: 2048, trim: false }) implies?: string;
  @Text({ optional: true, max: 2048, trim: false }) impliedBy?: string;
}
