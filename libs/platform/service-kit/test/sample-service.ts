import {
  Body,
  Controller,
  Get,
  HttpCode,
  Module,
  Param,
  Post,
  Put,
  Query,
  StreamableFile,
} from '@nestjs/common';
import { Caller, Public, requestContext, ServicesOnly } from '@libs/auth';
import { ServiceSettings } from '@libs/config';
import { NotFound, reply } from '@libs/envelope';
import { Flag, Text, Whole } from '@libs/fields';
import { ServiceClient } from '@libs/service-client';
import { defineService, etagOf, IfMatch, requireMatch } from '../src';

class Note {
  @Text({ max: 8 }) id!: string;
  @Text({ optional: true }) text?: string;
}
class Wanted {
  @Flag({ optional: true }) loud?: boolean;
  @Whole({ default: 3, min: 1 }) times!: number;
}

@Controller('/v3/sample')
class SampleController {
  constructor(private readonly client: ServiceClient) {}

  @Get('who') who(@Caller() caller: Caller) {
    return reply('SAMPLE_WHO', 'you', { caller, tracking: requestContext()?.trackingId });
  }
  @Public() @Get('open') open(@Caller() caller?: Caller) {
    return { user: caller?.user ?? null };
  }
  @ServicesOnly('jobs') @Get('inside') inside() {
    return 'for jobs';
  }
  @Get('query') query(@Query() query: Wanted) {
    return query;
  }
  @Get('list') list() {
    const metadata = {
      recordCount: 2,
      recordLimit: 2,
      recordsSkipped: -1,
      orderBy: '',
      startAfter: '',
      totalCount: -1,
    };
    return reply('SAMPLE_LIST', 'two', [{ id: 'a' }, { id: 'b' }], { metadata });
  }
  @Get('stream') stream() {
    return new StreamableFile(Buffer.from('bytes'));
  }
  @Get('boom') boom() {
    throw new Error('the password is hunter2');
  }
  @Get('far/:id') far(@Param('id') id: string, @Caller() caller: Caller) {
    return this.client.for(caller).get('systems', `/v3/systems/${id}`);
  }
  @Post('said') say() {
    return reply('SAMPLE_SAID', 'yes', null);
  }
  @Post() @HttpCode(201) create(@Body() body: Note) {
    return reply('SAMPLE_CREATED', body.id, body, { status: 201 });
  }
  @Get(':id') one(@Param('id') id: string) {
    if (id === 'none') throw new NotFound('SAMPLE_NOT_FOUND', `Note ${id}`, id);
    return reply('SAMPLE_FOUND', id, { id }, { etag: etagOf(id) });
  }
  @Put(':id') change(@Param('id') id: string, @IfMatch() ifMatch?: string) {
    requireMatch(ifMatch, etagOf(id), `Note ${id}`);
    return reply('SAMPLE_UPDATED', id, null);
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

export const sample = defineService({
  name: 'sample',
  identity: 'systems',
  prefixes: ['/v3/sample'],
  settings: ServiceSettings,
  module: SampleModule,
});
