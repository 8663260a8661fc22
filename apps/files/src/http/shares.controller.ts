import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { PUBLIC_GRANTEE } from '@libs/security-client';
import { acting } from '../actions/acting';
import { SharesActions } from '../actions/shares.actions';
import { AtPath, type FilePath } from './file-path';
import { UnshareAllQuery, Users } from './rights.requests';

const named = ({ systemId, path }: FilePath) => `system ${systemId} path /${path}`;

@Controller('v3/files')
export class SharesController {
  constructor(private readonly shares: SharesActions) {}

  @Get('share/:systemId{/*path}')
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async info(@Caller() caller: Caller, @AtPath() at: FilePath) {
    return reply('FAPI_SHARE_FOUND', named(at), await this.shares.info(acting(caller), at));
  }

  @Post('share/:systemId{/*path}')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async share(@Caller() caller: Caller, @AtPath() at: FilePath, @Body() { users }: Users) {
    await this.shares.share(acting(caller).actor, at, users);
    return reply('FAPI_SHARE_U_UPDATED', `${named(at)} is shared with ${users.join(', ')}`, null);
  }

  @Post('unshare/:systemId{/*path}')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async unshare(@Caller() caller: Caller, @AtPath() at: FilePath, @Body() { users }: Users) {
    await this.shares.unshare(acting(caller).actor, at, users);
    return reply(
      'FAPI_SHARE_U_UPDATED',
      `${named(at)} is no longer shared with ${users.join(', ')}`,
      null,
    );
  }

  @Post('share_public/:systemId{/*path}')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async sharePublic(@Caller() caller: Caller, @AtPath() at: FilePath) {
    await this.shares.share(acting(caller).actor, at, [PUBLIC_GRANTEE]);
    return reply('FAPI_SHARE_P_UPDATED', `${named(at)} is public`, null);
  }

  @Post('unshare_public/:systemId{/*path}')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async unsharePublic(@Caller() caller: Caller, @AtPath() at: FilePath) {
    await this.shares.unshare(acting(caller).actor, at, [PUBLIC_GRANTEE]);
    return reply('FAPI_SHARE_P_UPDATED', `${named(at)} is not public`, null);
  }

  @Post('unshare_all/:systemId{/*path}')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async unshareAll(
    @Caller() caller: Caller,
    @AtPath() at: FilePath,
    @Query() { recurse }: UnshareAllQuery,
  ) {
    await this.shares.unshare(acting(caller).actor, at, undefined, recurse);
    return reply('FAPI_SHARE_DEL_ALL', `${named(at)} is not shared`, null);
  }
}
