import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Choice, Items, Text } from '@libs/fields';
import { Gives } from '@libs/service-kit';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ShareActions } from '../actions/share.actions';
import { SHARED_PARTS, type SharedPart, ShareRecord } from '../domain/share';
import { Message, Page, pageMetadata } from './page';

class ShareRequest {
  @Text({ min: 1, max: 64 }) grantee!: string;
  @Items(SHARED_PARTS, { minItems: 1, unique: true }) jobResource!: SharedPart[];
  @Choice(['READ']) jobPermission!: string;
}

const message = (code: string, text: string) => reply(code, text, { message: `${code} ${text}` });

@Controller('v3/jobs')
export class ShareController {
  constructor(private readonly shares: ShareActions) {}

  @Post(':uuid/share')
  @Gives(Message)
  async share(@Caller() caller: Caller, @Param('uuid') uuid: string, @Body() body: ShareRequest) {
    await this.shares.share(caller, uuid, body.grantee, body.jobResource);
    return message(
      'JOBS_JOB_SHARED',
      `job ${uuid}: ${body.jobResource.join(', ')} with ${body.grantee}`,
    );
  }

  @Get(':uuid/share')
  @Gives([ShareRecord])
  async list(@Caller() caller: Caller, @Param('uuid') uuid: string, @Query() page: Page) {
    const all = await this.shares.list(caller, uuid);
    const { limit, skip } = page;
    const some = all.slice(skip, limit < 0 ? undefined : skip + limit);
    const code = some.length ? 'JOBS_JOB_SHARES_RETRIEVED' : 'JOBS_JOB_NO_SHARES_FOUND';
    const metadata = pageMetadata(page, some.length);
    return reply(code, `${some.length} shares of job ${uuid}`, some, { metadata });
  }

  @Delete(':uuid/share/:user')
  @Gives(Message)
  async unshare(
    @Caller() caller: Caller,
    @Param('uuid') uuid: string,
    @Param('user') user: string,
  ) {
    const count = await this.shares.unshare(caller, uuid, user);
    return message('JOBS_JOB_UNSHARED', `job ${uuid}: ${count} shares with ${user} taken back`);
  }
}
