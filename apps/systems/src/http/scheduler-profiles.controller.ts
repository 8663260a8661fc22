import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import type { Request } from 'express';
import { SchedulerProfiles } from '../actions/scheduler-profiles';
import { NewSchedulerProfile } from '../domain/scheduler-profile';
import { rootUrl } from './systems.controller';

@Controller('v3/systems/schedulerProfile')
export class SchedulerProfilesController {
  constructor(private readonly profiles: SchedulerProfiles) {}

  @Get()
  async list(@Caller() caller: Caller) {
    const found = await this.profiles.list(caller);
    return reply('SYSAPI_PRF_FOUND', `${found.length} scheduler profiles`, found);
  }

  @Post()
  @HttpCode(201)
  create(@Caller() caller: Caller, @Body() body: NewSchedulerProfile, @Req() request: Request) {
    return this.profiles.create(caller, body, `${rootUrl(request)}/schedulerProfile`);
  }

  @Get(':name')
  async get(@Caller() caller: Caller, @Param('name') name: string) {
    const found = await this.profiles.get(caller, name);
    return reply('SYSAPI_PRF_FOUND', `scheduler profile "${name}"`, found);
  }

  @Delete(':name')
  async remove(@Caller() caller: Caller, @Param('name') name: string) {
    const changes = await this.profiles.remove(caller, name);
    return reply('SYSAPI_PRF_DELETED', `scheduler profile "${name}"`, { changes });
  }
}
