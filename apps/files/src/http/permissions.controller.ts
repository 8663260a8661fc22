import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { acting } from '../actions/acting';
import { PermissionsActions } from '../actions/permissions.actions';
import { AtPath, type FilePath } from './file-path';
import { NewPermission, PermissionQuery, RevokeQuery } from './rights.requests';

const named = ({ systemId, path }: FilePath) => `system ${systemId} path /${path}`;

@Controller(['v3/files/perms', 'v3/files/permissions'])
export class PermissionsController {
  constructor(private readonly permissions: PermissionsActions) {}

  @Get(':systemId{/*path}')
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async get(@Caller() caller: Caller, @AtPath() at: FilePath, @Query() query: PermissionQuery) {
    const { actor } = acting(caller);
    const found = await this.permissions.find(actor, at, query.username ?? actor.user);
    return reply('FAPI_PERM_FOUND', named(at), found);
  }

  @Post(':systemId{/*path}')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async grant(@Caller() caller: Caller, @AtPath() at: FilePath, @Body() body: NewPermission) {
    const { username, permission } = body;
    const made = await this.permissions.grant(acting(caller).actor, at, username, permission);
    return reply('FAPI_PERM_GRANTED', `${permission} on ${named(at)} to ${username}`, made);
  }

  @Delete(':systemId{/*path}')
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async revoke(@Caller() caller: Caller, @AtPath() at: FilePath, @Query() query: RevokeQuery) {
    await this.permissions.revoke(acting(caller).actor, at, query.username);
    return reply('FAPI_PERM_REVOKED', `${named(at)} from ${query.username}`, null);
  }
}
