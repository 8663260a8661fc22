import { Body, Controller, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { jsonBody } from '@libs/service-kit';
import type { Request } from 'express';
import { ChildSystems } from '../actions/child-systems';
import { NewChildSystem } from '../domain/system';
import { UnlinkBody, UnlinkQuery } from './system-query';
import { rootUrl } from './systems.controller';

const unlinked = (text: string, changes: number) => reply('SYSAPI_UPDATED', text, { changes });

@Controller('v3/systems/:systemId')
export class ChildSystemsController {
  constructor(private readonly children: ChildSystems) {}

  @ApiBody({ type: NewChildSystem })
  @Post('createChildSystem')
  @HttpCode(201)
  create(
    @Caller() caller: Caller,
    @Param('systemId') parentId: string,
    @Body() body: object,
    @Req() request: Request,
  ) {
    return this.children.create(caller, parentId, jsonBody(body), rootUrl(request));
  }

  @Post('unlinkFromParent')
  @HttpCode(200)
  async unlink(@Caller() caller: Caller, @Param('systemId') id: string) {
    return unlinked(`system "${id}" stands alone`, await this.children.unlink(caller, id));
  }

  @Post('unlinkChildren')
  @HttpCode(200)
  async unlinkChildren(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Body() { childSystemIds: ids }: UnlinkBody,
    @Query() { all }: UnlinkQuery,
  ) {
    const changes = await this.children.unlinkChildren(caller, id, { ids, all });
    return unlinked(`${changes} children of system "${id}" stand alone`, changes);
  }
}
