import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Text } from '@libs/fields';
import { Gives, IfMatch } from '@libs/service-kit';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { JobsActions } from '../actions/jobs.actions';
import { HistoryEntry } from '../domain/history-entry';
import { JobAttributes } from '../domain/job-attributes';
import { jobRecord } from '../domain/job-record';
import { jobTag } from '../domain/job-tag';
import { Message, Page, pageMetadata } from './page';

class JobStatusAnswer {
  @Text() status!: string;
  @Text({ optional: true }) condition!: string;
}

class UserEvent {
  @Text({ min: 1, max: 16_384, multiline: true, trim: false }) eventData!: string;
  @Text({ default: 'DEFAULT', min: 1, max: 64, match: /^\w+$/, rule: 'must be letters, digits, _' })
  eventDetail!: string;
}

const MOST = 1000;
const message = (code: string, text: string) => reply(code, text, { message: `${code} ${text}` });

@Controller('v3/jobs')
export class JobController {
  constructor(private readonly jobs: JobsActions) {}

  @Get(':uuid')
  @Gives(JobAttributes)
  async get(@Caller() caller: Caller, @Param('uuid') uuid: string) {
    const job = await this.jobs.get(caller, uuid);
    const options = { etag: jobTag(job) };
    return reply('JOBS_RETRIEVED', `job ${uuid}`, jobRecord({ ...job }), options);
  }

  @Get(':uuid/status')
  @Gives(JobStatusAnswer)
  async status(@Caller() caller: Caller, @Param('uuid') uuid: string) {
    const { status, condition } = await this.jobs.get(caller, uuid);
    return reply('JOBS_STATUS_RETRIEVED', `job ${uuid} is ${status}`, { status, condition });
  }

  @Get(':uuid/history')
  @Gives([HistoryEntry])
  async history(@Caller() caller: Caller, @Param('uuid') uuid: string, @Query() page: Page) {
    const { limit, skip } = page;
    const most = limit < 0 ? MOST : Math.min(limit, MOST);
    const entries = await this.jobs.history(caller, uuid, most, skip);
    const metadata = pageMetadata(page, entries.length);
    return reply('JOBS_HISTORY_RETRIEVED', `${entries.length} entries of job ${uuid}`, entries, {
      metadata,
    });
  }

  @Post(':uuid/cancel')
  @Gives(Message)
  async cancel(@Caller() caller: Caller, @Param('uuid') uuid: string, @IfMatch() ifMatch?: string) {
    const { status } = await this.jobs.cancel(caller, uuid, ifMatch);
    const text =
      status === 'CANCELLED'
        ? `job ${uuid} is CANCELLED`
        : `job ${uuid} is ${status} and will be cancelled`;
    return message('JOBS_JOB_CANCEL_ACCEPTED', text);
  }

  @Post(':uuid/hide')
  @Gives(Message)
  hide(@Caller() caller: Caller, @Param('uuid') uuid: string, @IfMatch() ifMatch?: string) {
    return this.setVisible(caller, uuid, false, ifMatch);
  }

  @Post(':uuid/unhide')
  @Gives(Message)
  unhide(@Caller() caller: Caller, @Param('uuid') uuid: string, @IfMatch() ifMatch?: string) {
    return this.setVisible(caller, uuid, true, ifMatch);
  }

  @Post(':uuid/sendEvent')
  @Gives(Message)
  async sendEvent(@Caller() caller: Caller, @Param('uuid') uuid: string, @Body() body: UserEvent) {
    await this.jobs.sendEvent(caller, uuid, body.eventDetail, body.eventData);
    return message(
      'JOBS_EVENT_SENT',
      `event ${body.eventDetail} of job ${uuid}: ${body.eventData}`,
    );
  }

  private async setVisible(caller: Caller, uuid: string, visible: boolean, ifMatch?: string) {
    const changed = await this.jobs.setVisible(caller, uuid, visible, ifMatch);
    const state = visible ? 'visible' : 'hidden';
    if (!changed)
      return message('JOBS_JOB_UNCHANGED_VISIBILITY', `job ${uuid} was ${state} already`);
    return message('JOBS_JOB_CHANGED_VISIBILITY', `job ${uuid} is ${state}`);
  }
}
