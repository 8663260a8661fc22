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
import { reply } from '@libs/envelope';
import { IfMatch, jsonBody, ListParameters, SearchBody } from '@libs/service-kit';
import type { Request } from 'express';
import { ChangeApps } from '../actions/change-apps';
import { CreateVersion } from '../actions/create-version';
import { ReadApps } from '../actions/read-apps';
import { NewApp, VersionAttributes } from '../domain/app';
import { VersionPatch } from '../domain/patch';
import { AppQuery } from './app-query';

type RawQuery = Record<string, string | string[]>;

const OF_LIST = {
  select: 'Attributes, allAttributes or summaryAttributes',
  listType: 'OWNED (default), SHARED_PUBLIC, ALL, SHARED_DIRECT, READ_PERM or MINE',
  showDeleted: 'true: deleted apps too',
  impersonationId: 'Service jobs and tenant admins: list as this user',
};

@Controller('v3/apps')
export class AppsController {
  constructor(
    private readonly versions: CreateVersion,
    private readonly apps: ReadApps,
    private readonly changes: ChangeApps,
  ) {}

  @ApiBody({ type: NewApp })
  @Post()
  @HttpCode(201)
  create(@Caller() caller: Caller, @Body() body: object, @Req() request: Request) {
    return this.versions.create(caller, jsonBody(body), rootUrl(request));
  }

  @Get()
  @ListParameters(OF_LIST)
  list(@Caller() caller: Caller, @Query() query: RawQuery) {
    return this.apps.list(caller, query);
  }

  @Get('search')
  @ListParameters(OF_LIST)
  search(@Caller() caller: Caller, @Query() query: RawQuery) {
    return this.apps.list(caller, query, { conditions: true });
  }

  @Repeatable()
  @Post('search')
  @ListParameters(OF_LIST)
  @ApiBody({ type: SearchBody })
  searchByBody(@Caller() caller: Caller, @Query() query: RawQuery, @Body() body: unknown) {
    return this.apps.list(caller, query, { body: body ?? null });
  }

  @Get(':appId')
  latest(@Caller() caller: Caller, @Param('appId') id: string, @Query() query: AppQuery) {
    return this.apps.get(caller, id, undefined, query);
  }

  @Get(':appId/:appVersion')
  get(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Param('appVersion') version: string,
    @Query() query: AppQuery,
  ) {
    return this.apps.get(caller, id, version, query);
  }

  @ApiBody({ type: VersionPatch })
  @Patch(':appId/:appVersion')
  async patch(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Param('appVersion') version: string,
    @Body() body: object,
    @IfMatch() ifMatch: string | undefined,
    @Req() request: Request,
  ) {
    await this.changes.patch(caller, id, version, jsonBody(body), ifMatch);
    return updated(id, version, request);
  }

  @ApiBody({ type: VersionAttributes })
  @Put(':appId/:appVersion')
  async put(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Param('appVersion') version: string,
    @Body() body: object,
    @IfMatch() ifMatch: string | undefined,
    @Req() request: Request,
  ) {
    await this.changes.replace(caller, id, version, jsonBody(body), ifMatch);
    return updated(id, version, request);
  }
}

function updated(id: string, version: string, request: Request) {
  const url = `${rootUrl(request)}/${id}/${version}`;
  return reply('APPAPI_UPDATED', `version "${version}" of app "${id}"`, { url });
}

const rootUrl = ({ protocol, headers }: Request): string =>
  `${protocol}://${headers.host ?? ''}/v3/apps`;
