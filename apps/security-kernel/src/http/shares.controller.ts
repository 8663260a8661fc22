import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Injectable,
  Param,
  type PipeTransform,
  Post,
  Query,
} from '@nestjs/common';
import { Caller, ServicesOnly } from '@libs/auth';
import { BadInput, reply } from '@libs/envelope';
import { SharesActions } from '../actions/shares.actions';
import { changes, made } from './results';
import { NewShare, PrivilegeQuery, SharesQuery } from './share.requests';
import { TenantQuery } from './user.requests';

/** The number of a share, as it stands in a path. */
@Injectable()
class ShareId implements PipeTransform<string, number> {
  transform(text: string): number {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new BadInput('SK_SHARE_ID', `"${text}" is not the id of a share.`);
  }
}

@ServicesOnly()
@Controller('v3/security/share')
export class SharesController {
  constructor(private readonly shares: SharesActions) {}

  @Post()
  @HttpCode(201)
  async create(@Caller() caller: Caller, @Body() body: NewShare) {
    const { id, made: isNew } = await this.shares.create(caller, body);
    return made(`/v3/security/share/${id}`, isNew);
  }

  @Get()
  async list(@Caller() caller: Caller, @Query() query: SharesQuery) {
    const shares = await this.shares.list(caller, query);
    return reply('SK_FOUND', `${shares.length} shares`, { shares });
  }

  @Get('hasPrivilege')
  async hasPrivilege(@Caller() caller: Caller, @Query() query: PrivilegeQuery) {
    return reply('SK_ANSWERED', 'privilege', {
      aBool: await this.shares.hasPrivilege(caller, query),
    });
  }

  @Get(':id')
  async get(
    @Caller() caller: Caller,
    @Param('id', ShareId) id: number,
    @Query() { tenant }: TenantQuery,
  ) {
    return reply('SK_FOUND', `share ${id}`, await this.shares.get(caller, tenant, id));
  }

  @Delete()
  async remove(@Caller() caller: Caller, @Query() key: NewShare) {
    return changes(await this.shares.remove(caller, key.tenant, key));
  }

  @Delete(':id')
  async removeById(
    @Caller() caller: Caller,
    @Param('id', ShareId) id: number,
    @Query() { tenant }: TenantQuery,
  ) {
    return changes(await this.shares.remove(caller, tenant, id));
  }
}
