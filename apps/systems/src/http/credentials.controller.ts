import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Caller, Repeatable, ServicesOnly } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Credentials } from '../actions/credentials';
import { RegisterCredential } from '../actions/register-credential';
import { Credential } from '../domain/credential';
import { MethodQuery, RegisterQuery, SignInQuery } from './system-query';

@Controller('v3/systems/credential/:systemId')
export class CredentialsController {
  constructor(
    private readonly credentials: Credentials,
    private readonly registration: RegisterCredential,
  ) {}

  @Post('user/:userName')
  async register(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
    @Body() body: Credential,
    @Query() { createTmsKeys, skipCredentialCheck: skipCheck }: RegisterQuery,
  ) {
    await this.registration.register(caller, id, user, body, { createTmsKeys, skipCheck });
    return reply('SYSAPI_CRED_UPDATED', `credential of "${user}" on system "${id}"`, null);
  }

  @ServicesOnly('files', 'jobs')
  @Get('user/:userName')
  async get(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
    @Query() query: MethodQuery,
  ) {
    const found = await this.credentials.get(caller, id, user, query.authnMethod);
    return reply('SYSAPI_CRED_FOUND', `credential of "${user}" on system "${id}"`, found);
  }

  @Delete('user/:userName')
  async remove(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
  ) {
    await this.credentials.remove(caller, id, user);
    return reply('SYSAPI_CRED_DELETED', `credential of "${user}" on system "${id}"`, null);
  }

  @Repeatable()
  @Post('user/:userName/check')
  async check(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
    @Query() query: MethodQuery,
  ) {
    await this.credentials.check(caller, id, user, query.authnMethod);
    return reply('SYSAPI_CRED_VALID', `"${user}" can log in to system "${id}"`, null);
  }

  @Get('globus/authUrl')
  async globusSignIn(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Query() { dataAccess }: SignInQuery,
  ) {
    const found = await this.registration.globusSignIn(caller, id, dataAccess);
    return reply('SYSAPI_GLOBUS_AUTH_URL', `sign in with Globus for system "${id}"`, found);
  }

  @Post('user/:userName/globus/tokens/:authCode/:sessionId')
  @HttpCode(200)
  async globusTokens(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') user: string,
    @Param('authCode') authCode: string,
    @Param('sessionId') sessionId: string,
  ) {
    await this.registration.globusTokens(caller, id, user, { authCode, sessionId });
    return reply('SYSAPI_CRED_UPDATED', `Globus tokens of "${user}" on system "${id}"`, null);
  }
}
