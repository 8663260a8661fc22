import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  type Provider,
  type Type,
} from '@nestjs/common';
import { Caller } from '@libs/auth';
import { BadInput, reply } from '@libs/envelope';
import { Items } from '@libs/fields';
import { platform } from '@libs/platform-name';
import {
  ResourcePermissions,
  ResourceShares,
  SecurityClient,
  type ResourceAccess,
  type SharedResources,
} from '@libs/security-client';

const PERMISSION = {
  match: /^(READ|MODIFY|EXECUTE|\*)$/i,
  rule: 'must be one of READ, MODIFY, EXECUTE, *',
};

const USER = { match: /^[^~$\s][^\s]*$/, rule: 'must be the name of a user' };

class Permissions {
  @Items(String, { minItems: 1, maxItems: 4, ...PERMISSION, example: ['READ'] })
  permissions!: string[];
}

class Users {
  @Items(String, {
    minItems: 1,
    maxItems: 1000,
    max: 58,
    ...USER,
  })
  users!: string[];
}

export interface SharedKind {
  /** Where the service's paths begin. */
  root: string;
  /** Its name in texts: `system`. */
  word: string;
  /** Its path parameter: `systemId`. */
  id: string;
  /** What the codes of the answers begin with. */
  code: string;
}

/** What the routes need, from the service's own rules of access and from what it does beside the security kernel. */
export const sharingProviders = (
  access: Type<ResourceAccess>,
  resources: Type<SharedResources>,
): Provider[] =>
  [ResourcePermissions, ResourceShares].map((provide) => ({
    provide,
    inject: [SecurityClient, access, resources],
    useFactory: (kernel: SecurityClient, rules: ResourceAccess, shared: SharedResources) =>
      new provide(kernel, rules, shared),
  }));

/** What is granted to everybody is a share; roles are granted permissions in the security kernel. */
function assertUser(name: string): void {
  if (!USER.match.test(name))
    throw new BadInput(platform().code('INVALID_INPUT'), 'the path is not valid', [
      `userName: ${USER.rule}, not "${name}"`,
    ]);
}

/** The routes for permissions and shares of one kind of resource; they need `sharingProviders`. */
export function sharingController({ root, word, id, code }: SharedKind): Type {
  const found = (what: string, result: object) => reply(`${code}_FOUND`, what, result);
  const done = (what: string) => reply(`${code}_UPDATED`, what, null);

  @Controller(root)
  class SharingController {
    constructor(
      private readonly permissions: ResourcePermissions,
      private readonly shares: ResourceShares,
    ) {}

    @Get(`perms/:${id}/user/:userName`)
    async permissionsOf(
      @Caller() caller: Caller,
      @Param(id) of: string,
      @Param('userName') user: string,
    ) {
      const names = await this.permissions.list(caller, of, user);
      return found(`permissions of "${user}" on ${word} "${of}"`, { names });
    }

    @Post(`perms/:${id}/user/:userName`)
    @HttpCode(200)
    async grant(
      @Caller() caller: Caller,
      @Param(id) of: string,
      @Param('userName') user: string,
      @Body() { permissions }: Permissions,
    ) {
      assertUser(user);
      await this.permissions.grant(caller, of, user, permissions);
      return done(`"${user}" has ${permissions.join(', ')} on ${word} "${of}"`);
    }

    @Post(`perms/:${id}/user/:userName/revoke`)
    @HttpCode(200)
    async revoke(
      @Caller() caller: Caller,
      @Param(id) of: string,
      @Param('userName') user: string,
      @Body() { permissions }: Permissions,
    ) {
      await this.permissions.revoke(caller, of, user, permissions);
      return done(`"${user}" has ${permissions.join(', ')} on ${word} "${of}" no longer`);
    }

    @Delete(`perms/:${id}/user/:userName/:permission`)
    async revokeOne(
      @Caller() caller: Caller,
      @Param(id) of: string,
      @Param('userName') user: string,
      @Param('permission') permission: string,
    ) {
      await this.permissions.revoke(caller, of, user, [permission]);
      return done(`"${user}" has ${permission} on ${word} "${of}" no longer`);
    }

    @Get(`share/:${id}`)
    async shareInfo(@Caller() caller: Caller, @Param(id) of: string) {
      return found(`shares of ${word} "${of}"`, await this.shares.info(caller, of));
    }

    @Post(`share/:${id}`)
    @HttpCode(200)
    async share(@Caller() caller: Caller, @Param(id) of: string, @Body() { users }: Users) {
      await this.shares.share(caller, of, users);
      return done(`${word} "${of}" is shared with ${users.join(', ')}`);
    }

    @Post(`unshare/:${id}`)
    @HttpCode(200)
    async unshare(@Caller() caller: Caller, @Param(id) of: string, @Body() { users }: Users) {
      await this.shares.unshare(caller, of, users);
      return done(`${word} "${of}" is no longer shared with ${users.join(', ')}`);
    }

    @Post(`share_public/:${id}`)
    @HttpCode(200)
    async sharePublic(@Caller() caller: Caller, @Param(id) of: string) {
      await this.shares.sharePublic(caller, of);
      return done(`${word} "${of}" is shared with everybody of the tenant`);
    }

    @Post(`unshare_public/:${id}`)
    @HttpCode(200)
    async unsharePublic(@Caller() caller: Caller, @Param(id) of: string) {
      await this.shares.unsharePublic(caller, of);
      return done(`${word} "${of}" is no longer shared with everybody of the tenant`);
    }
  }
  return SharingController;
}
