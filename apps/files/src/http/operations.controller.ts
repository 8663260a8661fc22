import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller } from '@libs/auth';
import { BadInput, offsetMetadata, reply, UnsupportedMediaType } from '@libs/envelope';
import { parse } from '@libs/fields';
import { joinPath } from '@libs/storage';
import { acting } from '../actions/acting';
import { OperationsActions } from '../actions/operations.actions';
import { AtPath, type FilePath, normalised } from './file-path';
import { ContextQuery, ListQuery, MoveOrCopy, NewDirectory } from './operation.requests';
import { receiveFile } from './uploaded-file';

const done = (what: string) => reply('FAPI_OP_COMPLETE', what, null);
const named = ({ systemId, path }: FilePath) => `system ${systemId} path /${path}`;
const UPLOAD = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };

@Controller('v3/files/ops')
export class OperationsController {
  constructor(private readonly operations: OperationsActions) {}

  @Get(':systemId{/*path}')
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async list(@Caller() caller: Caller, @AtPath() at: FilePath, @Query() query: ListQuery) {
    const found = await this.operations.list(acting(caller, query), at, query);
    const metadata = offsetMetadata(query, found.length);
    return reply('FAPI_OP_COMPLETE', `${found.length} entries of ${named(at)}`, found, {
      metadata,
    });
  }

  /** Without a path: a JSON body makes a directory. Otherwise a multipart form is stored at the path. */
  @Post(':systemId')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiBody({ type: NewDirectory })
  async mkdir(
    @Caller() caller: Caller,
    @AtPath() at: FilePath,
    @Query() query: ContextQuery,
    @Body() body: unknown,
    @Req() request: Request,
  ) {
    if (isForm(request)) return this.upload(caller, at, query, request);
    if (!isJson(request)) throw new UnsupportedMediaType('FILES_BODY', 'the body must be JSON');
    const { path } = parse(NewDirectory, body ?? {});
    if (path.trim() === '') throw new BadInput('FILES_ERR_EMPTY_PATH', 'path must not be blank');
    if (path.includes('..')) throw new BadInput('FILES_BAD_PATH', 'path must not hold ".."');
    const place = { ...at, path: normalised(path) };
    await this.operations.mkdir(acting(caller, query), place);
    return done(`directory of ${named(place)} is there`);
  }

  @Post(':systemId/*path')
  @HttpCode(200)
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: UPLOAD })
  async upload(
    @Caller() caller: Caller,
    @AtPath() at: FilePath,
    @Query() query: ContextQuery,
    @Req() request: Request,
  ) {
    const who = acting(caller, query);
    let path = at.path;
    await receiveFile(request, async ({ name, content }) => {
      if (at.folder) path = joinPath(at.path, normalised(name, 'name of the file'));
      if (path === '') {
        content.resume();
        throw new BadInput('FILES_ERR_EMPTY_PATH', 'the path must name a file');
      }
      await this.operations.upload(who, { ...at, path }, content);
    });
    return done(`stored at ${named({ ...at, path })}`);
  }

  @Put(':systemId/*path')
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async moveOrCopy(
    @Caller() caller: Caller,
    @AtPath() at: FilePath,
    @Query() query: ContextQuery,
    @Body() { operation, newPath }: MoveOrCopy,
  ) {
    const who = acting(caller, query);
    const target = normalised(newPath, 'newPath');
    if (target === at.path) {
      throw new BadInput('FILES_SRC_DST_SAME', 'path and newPath are the same');
    }
    if (operation === 'MOVE') await this.operations.move(who, at, target);
    else await this.operations.copy(who, at, target);
    return reply('FAPI_MVCP_COMPLETE', `${operation} of ${named(at)} to /${target}`, null);
  }

  @Delete(':systemId{/*path}')
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  async remove(@Caller() caller: Caller, @AtPath() at: FilePath, @Query() query: ContextQuery) {
    await this.operations.remove(acting(caller, query), at);
    return done(`removed ${named(at)}`);
  }
}

const typeOf = (request: Request) => request.headers['content-type'] ?? '';
const isForm = (request: Request) => /^multipart\//i.test(typeOf(request));
const isJson = (request: Request) => /^application\/([\w.-]+\+)?json/i.test(typeOf(request));
