import { Caller } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiProduces, ApiQuery } from '@nestjs/swagger';
import type { Response } from 'express';
import { EventsActions } from '../actions/events.actions';

@Controller('v3/jobs')
export class EventsController {
  constructor(private readonly events: EventsActions) {}

  /** A job's history as it happens, with the progress of its transfers; ends with the job. */
  @Get(':uuid/events')
  @ApiProduces('text/event-stream')
  @ApiHeader({ name: 'Last-Event-ID', required: false })
  @ApiQuery({ name: 'lastEventId', required: false, type: String })
  async follow(
    @Caller() caller: Caller,
    @Param('uuid') uuid: string,
    @Headers('last-event-id') header: string | undefined,
    @Query('lastEventId') query: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const after = header ?? query ?? '0';
    if (!/^\d{1,15}$/.test(after)) {
      throw new BadInput(
        'JOBS_INVALID_EVENT_ID',
        `Last-Event-ID "${after}" is not the id of an event`,
      );
    }
    const stream = await this.events.follow(caller, uuid, Number(after));
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    response.once('close', () => stream.end());
    for await (const part of stream) {
      if (!response.write(part)) await drained(response);
    }
    response.end();
  }
}

const drained = (response: Response) =>
  new Promise<void>((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
