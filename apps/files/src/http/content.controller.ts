import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiParam, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '@libs/auth';
import { Log } from '@libs/service-kit';
import { acting } from '../actions/acting';
import { ContentActions } from '../actions/content.actions';
import { disposition, zipName } from '../domain/disposition';
import { AtPath, type FilePath } from './file-path';
import { ContentQuery } from './operation.requests';

@Controller('v3/files/content')
export class ContentController {
  constructor(
    private readonly content: ContentActions,
    private readonly log: Log,
  ) {}

  @Get(':systemId{/*path}')
  @ApiParam({ name: 'systemId' })
  @ApiParam({ name: 'path' })
  @ApiHeader({ name: 'more', required: false, description: 'Page of 1 KiB as text, from 1' })
  @ApiHeader({ name: 'Range', required: false })
  @ApiHeader({ name: 'If-Range', required: false, description: 'ETag of the file to go on with' })
  @ApiProduces('application/octet-stream')
  async get(
    @Caller() caller: Caller,
    @AtPath() at: FilePath,
    @Query() query: ContentQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const who = acting(caller, query);
    const { zip, startByte, count } = query;
    if (zip) {
      const { stream, name } = await this.content.zip(who, at, at.folder);
      response.setHeader('Content-Type', 'application/octet-stream');
      response.setHeader('Content-Disposition', disposition('attachment', zipName(name)));
      return this.send(request, response, stream);
    }
    const more = request.headers['more'];
    const found = await this.content.file(who, at, {
      startByte,
      count,
      range: request.headers.range,
      ifRange: request.headers['if-range'] as string | undefined,
      more: Array.isArray(more) ? more[0] : more,
    });
    const { range, size, name, stream, validators } = found;
    const page = range.kind === 'page';
    response.statusCode = range.kind === 'range' ? 206 : 200;
    response.setHeader(
      'Content-Type',
      page ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    );
    response.setHeader('Content-Disposition', disposition(page ? 'inline' : 'attachment', name));
    response.setHeader('Content-Length', range.end - range.start);
    response.setHeader('Accept-Ranges', 'bytes');
    if (validators.etag) response.setHeader('ETag', validators.etag);
    if (validators.lastModified) response.setHeader('Last-Modified', validators.lastModified);
    // What somebody else stored must not run in the reader's browser as a page of ours.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (range.kind === 'range') {
      response.setHeader('Content-Range', `bytes ${range.start}-${range.end - 1}/${size}`);
    }
    if (range.kind === 'whole') response.setHeader('Cache-Control', 'private, max-age=3600');
    await this.send(request, response, stream);
  }

  private async send(request: Request, response: Response, stream: Readable): Promise<void> {
    if (request.method === 'HEAD') {
      stream.destroy();
      return void response.end();
    }
    try {
      await pipeline(stream, response);
    } catch (err) {
      // Too late for another status: the broken connection says it.
      if (!request.destroyed) this.log.warn({ err }, 'a download broke off');
      response.destroy();
    }
  }
}
