import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
} from '@nestjs/common';
import { Caller, Repeatable } from '@libs/auth';
import { Forbidden, NotFound, reply } from '@libs/envelope';
import { Gives } from '@libs/service-kit';
import type { Request } from 'express';
import { AccountActions } from '../actions/accounts.actions';
import {
  AccountPatch,
  AccountRequest,
  AccountResult,
  AccountsQuery,
  PasswordRequest,
} from './account.requests';
import { RequestSource } from './request-source';

/** The platform's own directory of people. */
@Controller('v3/oauth2/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountActions,
    private readonly source: RequestSource,
  ) {}

  @Gives([AccountResult])
  @Get()
  async list(@Caller() caller: Caller, @Query() { limit, offset }: AccountsQuery) {
    const found = await this.accounts.list(caller, limit, offset);
    return reply('AUTHENTICATOR_ACCOUNTS_FOUND', `${found.length} accounts`, found);
  }

  @Repeatable()
  @Gives(AccountResult, { status: 201 })
  @HttpCode(201)
  @Post()
  async create(@Caller() caller: Caller, @Body() body: AccountRequest, @Req() request: Request) {
    const made = await this.accounts.create(caller, body, this.source.address(request));
    const said = `account "${made.username}" created`;
    return reply('AUTHENTICATOR_ACCOUNT_CREATED', said, made, { status: 201 });
  }

  @Gives(AccountResult)
  @Get(':username')
  async get(@Caller() caller: Caller, @Param('username') username: string) {
    const found = await this.accounts.get(caller, username);
    return reply('AUTHENTICATOR_ACCOUNT_FOUND', `account "${username}"`, found);
  }

  @Gives(AccountResult)
  @Patch(':username')
  async change(
    @Caller() caller: Caller,
    @Param('username') username: string,
    @Body() body: AccountPatch,
    @Req() request: Request,
  ) {
    const address = this.source.address(request);
    const changed = await this.accounts.change(caller, username, body, address);
    return reply('AUTHENTICATOR_ACCOUNT_UPDATED', `account "${username}" changed`, changed);
  }

  /** One's own; administrators set others' by changing the account. */
  @Gives('nothing')
  @Put(':username/password')
  async password(
    @Caller() caller: Caller,
    @Param('username') username: string,
    @Body() body: PasswordRequest,
    @Req() request: Request,
  ) {
    if (username !== caller.user || caller.accountType !== 'user')
      throw new Forbidden('AUTHENTICATOR_OWN_PASSWORD', 'Only the person may change it this way.');
    const who = { tenant: caller.tenant, username, address: this.source.address(request) };
    const passwords = { old: body.old_password, new: body.new_password };
    await this.accounts.changeOwnPassword(who, passwords);
    return reply('AUTHENTICATOR_PASSWORD_CHANGED', `password of "${username}" changed`, null);
  }

  @Gives('nothing')
  @Delete(':username/second_factor')
  async removeFactor(
    @Caller() caller: Caller,
    @Param('username') username: string,
    @Req() request: Request,
  ) {
    const address = this.source.address(request);
    if (!(await this.accounts.removeFactor(caller, username, address)))
      throw new NotFound(
        'AUTHENTICATOR_NO_SECOND_FACTOR',
        `"${username}" has no second factor.`,
        username,
      );
    return reply('AUTHENTICATOR_SECOND_FACTOR_REMOVED', `second factor of "${username}"`, null);
  }
}
