import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Items } from '@libs/fields';
import { Gives } from '@libs/service-kit';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBody, ApiQuery } from '@nestjs/swagger';
import { type JobList, ListActions } from '../actions/list.actions';
import { JobAttributes } from '../domain/job-attributes';

type RawQuery = Record<string, string | string[]>;

class JobSearch {
  @Items(String, { minItems: 1, description: 'Strings of one SQL-like condition' })
  search!: string[];
}

const paging = ['limit', 'skip', 'orderBy', 'startAfter', 'computeTotal', 'listType'];
const Paging =
  (...more: string[]): MethodDecorator & ClassDecorator =>
  (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    for (const name of [...paging, ...more])
      ApiQuery({ name, required: false, type: String })(target, key!, descriptor!);
  };

@Controller('v3/jobs')
export class ListController {
  constructor(private readonly lists: ListActions) {}

  @Get('list')
  @Paging()
  @Gives([JobAttributes])
  async list(@Caller() caller: Caller, @Query() query: RawQuery) {
    return answer('JOBS_LIST_RETRIEVED', await this.lists.list(caller, query));
  }

  @Get('search')
  @Paging('select')
  @Gives([JobAttributes])
  async search(@Caller() caller: Caller, @Query() query: RawQuery) {
    return searched(await this.lists.search(caller, query));
  }

  @Post('search')
  @Paging('select')
  @ApiBody({ type: JobSearch })
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
