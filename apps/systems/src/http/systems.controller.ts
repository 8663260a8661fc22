import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
} from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Caller, Repeatable } from '@libs/auth';
import { reply, Unsupported } from '@libs/envelope';
import { IfMatch, jsonBody, ListParameters, SearchBody } from '@libs/service-kit';
import type { Request } from 'express';
import { ChangeSystems } from '../actions/change-systems';
import { CreateSystem } from '../actions/create-system';
import { ReadSystems } from '../actions/read-systems';
import { NewSystem, SystemPatch, SystemPut } from '../domain/system';
import { CheckQuery, MatchBody, SystemQuery } from './system-query';

type RawQuery = Record<string, string | string[]>;

const OF_LIST = {
  select: 'Attributes, allAttributes or summaryAttributes',
  listType: 'OWNED (default), SHARED_PUBLIC, ALL, SHARED_DIRECT, READ_PERM or MINE',
  showDeleted: 'true: deleted systems too',
  hasCredentials: 'true or false: only systems with, or without, a credential to log in with',
  impersonationId: 'Services and tenant admins: list as this user',
};

@Controller('v3/systems')
export class SystemsController {
  constructor(
    private readonly creation: CreateSystem,
    private readonly systems: ReadSystems,
    private readonly changes: ChangeSystems,
  ) {}

  @ApiBody({ type: NewSystem })
  @Post()
  @HttpCode(201)
  create(
    @Caller() caller: Caller,
    @Body() body: object,
    @Query() query: CheckQuery,
    @Req() request: Request,
  ) {
    const { skipCredentialCheck } = query;
    return this.creation.create(caller, jsonBody(body), rootUrl(request), skipCredentialCheck);
  }

  @Get()
  @ListParameters(OF_LIST)
  list(@Caller() caller: Caller, @Query() query: RawQuery) {
    return this.systems.list(caller, query);
  }

  @Get('search')
  @ListParameters(OF_LIST)
  search(@Caller() caller: Caller, @Query() query: RawQuery) {
    return this.systems.list(caller, query, { conditions: true });
  }

  @Repeatable()
  @Post('search')
  @ListParameters(OF_LIST)
  @ApiBody({ type: SearchBody })
  searchByBody(@Caller() caller: Caller, @Query() query: RawQuery, @Body() body: unknown) {
    return this.systems.list(caller, query, { body: body ?? null });
  }

  @Get(':systemId')
  get(@Caller() caller: Caller, @Param('systemId') id: string, @Query() query: SystemQuery) {
    return this.systems.get(caller, id, query);
  }

  @ApiBody({ type: SystemPatch })
  @Patch(':systemId')
  async patch(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Body() body: object,
    @IfMatch() ifMatch: string | undefined,
    @Req() request: Request,
  ) {
    await this.changes.patch(caller, id, jsonBody(body), ifMatch);
    return reply('SYSAPI_UPDATED', `system "${id}"`, { url: `${rootUrl(request)}/${id}` });
  }

  @ApiBody({ type: SystemPut })
  @Put(':systemId')
  async put(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Body() body: object,
    @IfMatch() ifMatch: string | undefined,
    @Req() request: Request,
  ) {
    await this.changes.put(caller, id, jsonBody(body), ifMatch);
    return reply('SYSAPI_UPDATED', `system "${id}"`, { url: `${rootUrl(request)}/${id}` });
  }

  /** Documented by the platform's elders and never made: what would match is a search. */
  @Repeatable()
  @Post('match/constraints')
  match(@Body() _: MatchBody): never {
    throw new Unsupported(
      'SYSAPI_MATCH_UNSUPPORTED',
      'Matching systems by constraints is not supported: search for them.',
    );
  }
}

/** Where the systems of the tenant are, as the caller reached them. */
export const rootUrl = (request: Request): string =>
  `${request.protocol}://${request.headers.host ?? ''}/v3/systems`;
