import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Req,
} from '@nestjs/common';
import { ApiQuery, ApiSecurity } from '@nestjs/swagger';
import { Public, Repeatable } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Gives } from '@libs/service-kit';
import type { Request } from 'express';
import { ClientActions } from '../actions/clients.actions';
import {
  ClientAnswer,
  ClientChangeRequest,
  CreatedClientAnswer,
  NewClientRequest,
} from './client.requests';
import { Person } from './person';
import { NOT_CACHED } from './tokens.controller';

/** A person's OAuth clients. Who asks shows a token, or user name and password in HTTP Basic. */
@Public()
@ApiSecurity('Token')
@Controller('v3/oauth2/clients')
export class ClientsController {
  constructor(
    private readonly clients: ClientActions,
    private readonly person: Person,
  ) {}

  /** The one answer that has the key. */
  @Post()
  @Repeatable()
  @HttpCode(201)
  @Gives(CreatedClientAnswer, { status: 201 })
  async create(@Req() request: Request, @Body() body: NewClientRequest) {
    const owner = await this.person.of(request);
    const { client, clientKey } = await this.clients.create(owner, body);
    const made = clientKey === null ? client : { ...client, client_key: clientKey };
    return reply('AUTHENTICATOR_CLIENT_CREATED', `client "${client.client_id}"`, made, {
      status: 201,
      headers: NOT_CACHED,
    });
  }

  @Get()
  @ApiQuery({ name: 'show_inactive', required: false, type: String, description: 'Anything: yes' })
  @Gives([ClientAnswer])
  async list(@Req() request: Request, @Query('show_inactive') inactive?: string | string[]) {
    const owner = await this.person.of(request);
    const show = inactive !== undefined && inactive !== '' && inactive !== 'false';
    const found = await this.clients.list(owner, show);
    return reply('AUTHENTICATOR_CLIENTS_FOUND', `${found.length} clients`, found);
  }

  @Get(':clientId')
  @Gives(ClientAnswer)
  async get(@Req() request: Request, @Param('clientId') id: string) {
    const found = await this.clients.get(await this.person.of(request), id);
    return reply('AUTHENTICATOR_CLIENT_FOUND', `client "${id}"`, found);
  }

  @Put(':clientId')
  @Gives(ClientAnswer)
  async change(
    @Req() request: Request,
    @Param('clientId') id: string,
    @Body() body: ClientChangeRequest,
  ) {
    const changed = await this.clients.update(await this.person.of(request), id, body);
    return reply('AUTHENTICATOR_CLIENT_UPDATED', `client "${id}"`, changed);
  }

  @Delete(':clientId')
  @Gives('nothing')
  async remove(@Req() request: Request, @Param('clientId') id: string) {
    await this.clients.remove(await this.person.of(request), id);
    return reply('AUTHENTICATOR_CLIENT_DELETED', `client "${id}" is gone for good`, null);
  }
}
