import { Caller, Repeatable } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Gives, ListParameters, SearchBody } from '@libs/service-kit';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { type JobList, ListActions } from '../actions/list.actions';
import { JobAttributes } from '../domain/job-attributes';

type RawQuery = Record<string, string | string[]>;

const LIST_TYPE = { listType: 'MY_JOBS, SHARED_JOBS or ALL_JOBS' };
const SELECT = { select: 'Attributes, allAttributes or summaryAttributes' };

@Controller('v3/jobs')
export class ListController {
  constructor(private readonly lists: ListActions) {}

  @Get('list')
  @ListParameters(LIST_TYPE)
  @Gives([JobAttributes])
  async list(@Caller() caller: Caller, @Query() query: RawQuery) {
    return answer('JOBS_LIST_RETRIEVED', await this.lists.list(caller, query));
  }

  @Get('search')
  @ListParameters({ ...LIST_TYPE, ...SELECT })
  @Gives([JobAttributes])
  async search(@Caller() caller: Caller, @Query() query: RawQuery) {
    return searched(await this.lists.search(caller, query));
  }

  @Repeatable()
  @Post('search')
  @ListParameters({ ...LIST_TYPE, ...SELECT })
  @ApiBody({ type: SearchBody })
  @Gives([JobAttributes])
  async searchBy(@Caller() caller: Caller, @Query() query: RawQuery, @Body() body: unknown) {
    return searched(await this.lists.search(caller, query, body ?? {}));
  }
}

const searched = (list: JobList) =>
  answer(
    list.jobs.length ? 'JOBS_SEARCH_RESULT_LIST_RETRIEVED' : 'JOBS_SEARCH_NO_JOBS_FOUND',
    list,
  );

const answer = (code: string, { jobs, metadata }: JobList) =>
  reply(code, `${jobs.length} jobs`, jobs, { metadata });
