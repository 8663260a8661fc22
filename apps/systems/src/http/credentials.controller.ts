import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { Caller, Repeatable, ServicesOnly } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Credentials } from '../actions/credentials';
import { Credential } from '../domain/credential';
import { CheckQuery, MethodQuery } from './system-query';

@Controller('v3/systems/credential/:systemId/user/:userName')
export class CredentialsController {
  constructor(private readonly credentials: Credentials) {}

  @Post()
  async register(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
    @Body() body: Credential,
    @Query() query: CheckQuery,
  ) {
    await this.credentials.register(caller, id, user, body, query.skipCredentialCheck);
    return reply('SYSAPI_CRED_UPDATED', `credential of "${user}" on system "${id}"`, null);
  }

  @ServicesOnly('files', 'jobs')
  @Get()
  async get(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
    @Query() query: MethodQuery,
  ) {
    const found = await this.credentials.get(caller, id, user, query.authnMethod);
    return reply('SYSAPI_CRED_FOUND', `credential of "${user}" on system "${id}"`, found);
  }

  @Delete()
  async remove(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
  ) {
    await this.credentials.remove(caller, id, user);
    return reply('SYSAPI_CRED_DELETED', `credential of "${user}" on system "${id}"`, null);
  }

  @Repeatable()
  @Post('check')
  async check(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
    @Query() query: MethodQuery,
  ) {
    await this.credentials.check(caller, id, user, query.authnMethod);
    return reply('SYSAPI_CRED_VALID', `"${user}" can log in to system "${id}"`, null);
  }
}
