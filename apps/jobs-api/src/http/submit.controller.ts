import { Caller } from '@libs/auth';
import { parse } from '@libs/fields';
import { Gives } from '@libs/service-kit';
import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { reply } from '@libs/envelope';
import type { Request } from 'express';
import { JobsActions } from '../actions/jobs.actions';
import { SubmitActions } from '../actions/submit.actions';
import { JobAttributes } from '../domain/job-attributes';
import { JobRequest } from './job-request';

@Controller('v3/jobs')
export class SubmitController {
  constructor(
    private readonly submissions: SubmitActions,
    private readonly jobs: JobsActions,
  ) {}

  @Post('submit')
  @Gives(JobAttributes, { status: 201 })
  submit(@Caller() caller: Caller, @Body() body: JobRequest, @Req() { body: raw }: Request) {
    return this.submissions.submit(caller, body, raw);
  }

  /** The kept request is read anew: app, systems and hosts may have changed since. */
  @Post(':uuid/resubmit')
  @Gives(JobAttributes, { status: 201 })
  async resubmit(@Caller() caller: Caller, @Param('uuid') uuid: string) {
    const raw = await this.jobs.request(caller, uuid);
    return this.submissions.submit(caller, parse(JobRequest, raw), raw);
  }

  @Get(':uuid/resubmit_request')
  @Gives(JobRequest)
  async request(@Caller() caller: Caller, @Param('uuid') uuid: string) {
    const request = await this.jobs.request(caller, uuid);
    return reply('JOBS_RESUBMIT_REQUEST_RETRIEVED', `request of job ${uuid}`, request);
  }
}
