import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { Caller } from '@libs/auth';
import { offsetMetadata, reply } from '@libs/envelope';
import { etagOf } from '@libs/service-kit';
import { acting } from '../actions/acting';
import { TransfersActions } from '../actions/transfers.actions';
import { NewTransferRequest, TransferListQuery, TransferQuery } from './transfer.requests';

/** The first path is how the mission spells it. */
@Controller(['v3/files/tranfers', 'v3/files/transfers'])
export class TransfersController {
  constructor(private readonly transfers: TransfersActions) {}

  @Post()
  create(@Caller() caller: Caller, @Body() { tag, elements }: NewTransferRequest) {
    const { actor } = acting(caller);
    return this.transfers.create(caller, actor, tag ?? null, elements as never);
  }

  @Get()
  async list(@Caller() caller: Caller, @Query() query: TransferListQuery) {
    const found = await this.transfers.list(acting(caller).actor, query);
    const metadata = offsetMetadata(query, found.length);
    return reply('FAPI_OP_COMPLETE', `${found.length} transfers`, found, { metadata });
  }

  @Get(':uuid')
  async get(@Caller() caller: Caller, @Param('uuid') uuid: string, @Query() query: TransferQuery) {
    const found = await this.transfers.get(acting(caller, query).actor, uuid, false);
    return reply('FAPI_OP_COMPLETE', `transfer ${uuid}`, found, { etag: etagOf(found) });
  }

  @Get(':uuid/details')
  async details(
    @Caller() caller: Caller,
    @Param('uuid') uuid: string,
    @Query() query: TransferQuery,
  ) {
    const found = await this.transfers.get(acting(caller, query).actor, uuid, true);
    return reply('FAPI_OP_COMPLETE', `transfer ${uuid} with its files`, found, {
      etag: etagOf(found),
    });
  }

  @Delete(':uuid')
  async cancel(@Caller() caller: Caller, @Param('uuid') uuid: string) {
    await this.transfers.cancel(acting(caller).actor, uuid);
    return reply('FAPI_TXFR_CANCELLED', `transfer ${uuid}`, null);
  }
}
