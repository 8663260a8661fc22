import { Readable } from 'node:stream';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Choice, Flag, Moment, Text, Whole } from '@libs/fields';
import { Gives } from '@libs/service-kit';
import { Controller, Get, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Download, OutputActions } from '../actions/output.actions';
import { pageMetadata } from './page';

class OutputListQuery {
  @Whole({ optional: true, description: 'Without it, and without skip, the listing is recursive' })
  limit?: number;
  @Whole({ default: 0, min: 0 }) skip!: number;
  @Flag({ optional: true }) recurse?: boolean;
  @Flag({ default: false }) allowIfRunning!: boolean;
}

class DownloadQuery {
  @Flag({ default: false }) compress!: boolean;
  @Choice(['zip'], { default: 'zip' }) format!: string;
  @Flag({ default: false }) allowIfRunning!: boolean;
}

class OutputItem {
  @Text({ optional: true }) mimeType!: string;
  @Choice(['file', 'dir', 'symbolic_link', 'other', 'unknown']) type!: string;
  @Text({ optional: true }) owner!: string;
  @Text({ optional: true }) group!: string;
  @Text({ optional: true }) nativePermissions!: string;
  @Text() url!: string;
  @Moment() lastModified!: string;
  @Text() name!: string;
  @Text() path!: string;
  @Whole({ max: Number.MAX_SAFE_INTEGER }) size!: number;
}

/** What the files service says about the bytes. */
const PASSED = ['accept-ranges', 'content-range', 'etag', 'last-modified'];

type Headers = Record<string, string | string[] | undefined>;

const headersOf = (headers: Headers, names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((n) => (headers[n] === undefined ? [] : [[n, String(headers[n])]])),
  );

const pathOf = (path: string | string[] | undefined) =>
  Array.isArray(path) ? path.join('/') : (path ?? '');

@Controller('v3/jobs/:uuid/output')
export class OutputController {
  constructor(private readonly outputs: OutputActions) {}

  @Get(['list', 'list/*path'])
  @Gives([OutputItem])
  async list(
    @Caller() caller: Caller,
    @Param('uuid') uuid: string,
    @Param('path') path: string | string[] | undefined,
    @Query() { limit, skip, recurse, allowIfRunning }: OutputListQuery,
  ) {
    const deep = recurse ?? (limit === undefined && skip === 0);
    const page = { limit: limit ?? (deep ? undefined : 100), skip, recurse: deep, allowIfRunning };
    const items = await this.outputs.list(caller, uuid, pathOf(path), page);
    const metadata = pageMetadata({ limit: limit ?? -1, skip }, items.length);
    return reply('JOBS_OUTPUT_LIST_RETRIEVED', `${items.length} outputs of job ${uuid}`, items, {
      metadata,
    });
  }

  @Get(['download', 'download/*path'])
  @Gives('bytes')
  @ApiHeader({ name: 'Range', required: false })
  @ApiHeader({ name: 'If-Range', required: false, description: 'ETag of the file to go on with' })
  async download(
    @Caller() caller: Caller,
    @Param('uuid') uuid: string,
    @Param('path') path: string | string[] | undefined,
    @Query() { compress, allowIfRunning }: DownloadQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const range = headersOf(request.headers, ['range', 'if-range']);
    const options = { compress, allowIfRunning, signal: gone.signal, range };
    const found = await this.outputs.download(caller, uuid, pathOf(path), options);
    if (!found) {
      return reply('JOBS_EMPTY_DIR_FOR_DOWNLOAD', `the directory is empty: job ${uuid}`, null);
    }
    const { answer, settled } = found;
    response.status(answer.status);
    response.setHeaders(new Map(Object.entries(headersOf(answer.headers, PASSED))));
    response.setHeader('Cache-Control', settled ? 'private, max-age=3600' : 'no-cache');
    // What a program wrote must not run in the reader's browser as a page of ours.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (request.method !== 'HEAD') return streamOf(found, answer.body);
    answer.body.on('error', () => undefined).destroy();
    return streamOf(found, Readable.from([]));
  }
}

/** A file name for the header: plain characters for everybody, the rest for who understands RFC 6266. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const header = `attachment; filename="${plain}"`;
  if (plain === name) return header;
  const hex = (c: string) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`;
  return `${header}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, hex)}`;
}

/** The bytes as they come, no faster than the client takes them. */
function streamOf({ name, answer }: Download, body: Readable): StreamableFile {
  const length = answer.headers['content-length'];
  return new StreamableFile(body, {
    type: 'application/octet-stream',
    disposition: attachment(name),
    length: length === undefined ? undefined : Number(length),
  }).setErrorHandler((_, response) => {
    // A break in the middle ends the connection, so that the client sees that bytes are missing.
    response.destroy?.();
  });
}
