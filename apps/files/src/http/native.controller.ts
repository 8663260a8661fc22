import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { acting } from '../actions/acting';
import { NativeActions } from '../actions/native.actions';
import { AtPath, type FilePath } from './file-path';
import { NativeOperation, NativeQuery, StatQuery } from './operation.requests';

@Controller('v3/files/utils/linux')
export class NativeController {
  constructor(private readonly native: NativeActions) {}

  @Get(':systemId{/*path}')
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async stat(@Caller() caller: Caller, @AtPath() at: FilePath, @Query() query: StatQuery) {
    const stat = await this.native.stat(acting(caller, query), at, query.followLinks);
    return reply('FAPI_LINUX_STATINFO_FOUND', `system ${at.systemId} path /${at.path}`, stat);
  }

  @Post(':systemId{/*path}')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async change(
    @Caller() caller: Caller,
    @AtPath() at: FilePath,
    @Query() query: NativeQuery,
    @Body() { operation, argument }: NativeOperation,
  ) {
    const who = acting(caller, query);
    const result = await this.native.change(who, at, operation, argument, query.recursive);
    return reply(
      'FAPI_LINUX_OP_DONE',
      `${operation} of system ${at.systemId} path /${at.path}`,
      result,
    );
  }
}
