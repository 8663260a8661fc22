import { Choice, Flag, Items, Text } from '@libs/fields';

export class PermissionQuery {
  @Text({ optional: true, min: 1, max: 60, description: 'Default: the caller' }) username?: string;
}

export class RevokeQuery {
  @Text({ min: 1, max: 60 }) username!: string;
}

export class NewPermission {
  @Text({ min: 1, max: 60 }) username!: string;
  @Choice(['READ', 'MODIFY']) permission!: 'READ' | 'MODIFY';
}

export class Users {
  @Items(String, { minItems: 1, min: 1, max: 60, match: /^[^~]/, rule: 'must not begin with ~' })
  users!: string[];
}

export class UnshareAllQuery {
  @Flag({ default: false, description: 'Also what is shared below the path' }) recurse!: boolean;
}
