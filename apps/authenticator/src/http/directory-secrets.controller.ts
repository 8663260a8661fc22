import { Body, Controller, Delete, Param, Put, Req } from '@nestjs/common';
import { Caller } from '@libs/auth';
import { BadInput, reply } from '@libs/envelope';
import { Text } from '@libs/fields';
import { Gives } from '@libs/service-kit';
import type { Request } from 'express';
import { DirectorySecrets } from '../actions/directory-secrets';
import { RequestSource } from './request-source';

/** No folders: this service keeps other secrets in those. */
const NAME = /^[A-Za-z0-9_.-]{1,200}$/;

export class DirectorySecretRequest {
  @Text({ max: 1024, trim: false, description: 'Of the bind_dn of the LDAP record' })
  password!: string;
}

/** What an LDAP record names as its `bind_credential`. Written and never shown. */
@Controller('v3/oauth2/admin/directory_secrets')
export class DirectorySecretsController {
  constructor(
    private readonly secrets: DirectorySecrets,
    private readonly source: RequestSource,
  ) {}

  @Gives('nothing')
  @Put(':name')
  async put(
    @Caller() caller: Caller,
    @Param('name') name: string,
    @Body() { password }: DirectorySecretRequest,
    @Req() request: Request,
  ) {
    const by = { caller, address: this.source.address(request) };
    await this.secrets.put(by, checked(name), password);
    return reply('AUTHENTICATOR_SECRET_KEPT', `password "${name}" is kept`, null);
  }

  @Gives('nothing')
  @Delete(':name')
  async remove(@Caller() caller: Caller, @Param('name') name: string, @Req() request: Request) {
    const by = { caller, address: this.source.address(request) };
    await this.secrets.remove(by, checked(name));
    return reply('AUTHENTICATOR_SECRET_REMOVED', `password "${name}" is gone`, null);
  }
}

function checked(name: string): string {
  if (NAME.test(name) && !name.includes('..')) return name;
  throw new BadInput(
    'AUTHENTICATOR_SECRET_NAME',
    `The name "${name.slice(0, 200)}" may hold letters, digits and _ - . only, at most 200.`,
  );
}
