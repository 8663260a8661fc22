import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Caller, Repeatable } from '@libs/auth';
import { BadInput, reply } from '@libs/envelope';
import { VaultActions } from '../actions/vault.actions';
import { authorized, done } from './results';
import {
  NewSecret,
  SecretPlaceQuery,
  SecretQuery,
  SecretVersions,
  ServicePassword,
} from './vault.requests';

@Controller('v3/security/vault/secret')
export class VaultController {
  constructor(private readonly vault: VaultActions) {}

  @Repeatable()
  @Post('validateServicePassword/:name')
  async validate(
    @Caller() caller: Caller,
    @Param('name') name: string,
    @Body() body: ServicePassword,
  ) {
    await this.vault.validateServicePassword(caller, { ...body, name });
    return authorized(true);
  }

  @Repeatable()
  @Post('validateSiteAdminPassword/:name')
  async validateSiteAdmin(
    @Caller() caller: Caller,
    @Param('name') name: string,
    @Body() body: ServicePassword,
  ) {
    await this.vault.validateSiteAdminPassword(caller, { ...body, name });
    return authorized(true);
  }

  @Get('read/meta/:type/:name')
  async info(
    @Caller() caller: Caller,
    @Param('type') type: string,
    @Param('name') name: string,
    @Query() query: SecretQuery,
  ) {
    return reply('SK_FOUND', 'versions', await this.vault.info(caller, { ...query, type, name }));
  }

  @Get('list/meta/:type')
  async list(@Caller() caller: Caller, @Param('type') type: string, @Query() query: SecretQuery) {
    return reply('SK_FOUND', 'names', await this.vault.list(caller, { ...query, type }));
  }

  @Post(':mark/:type/:name')
  async mark(
    @Caller() caller: Caller,
    @Param('mark') mark: string,
    @Param('type') type: string,
    @Param('name') name: string,
    @Body() body: SecretVersions,
    @Query() query: SecretPlaceQuery,
  ) {
    if (mark !== 'delete' && mark !== 'undelete' && mark !== 'destroy') {
      throw new BadInput(
        'SK_SECRET_ACTION',
        `Secrets can't be "${mark}": delete, undelete or destroy.`,
      );
    }
    const { versions, ...owner } = body;
    const done = await this.vault.mark(caller, { ...query, ...owner, type, name }, mark, versions);
    return reply('SK_CHANGED', `${done.length} versions`, done);
  }

  @Delete('destroy/meta/:type/:name')
  async erase(
    @Caller() caller: Caller,
    @Param('type') type: string,
    @Param('name') name: string,
    @Query() query: SecretQuery,
  ) {
    await this.vault.erase(caller, { ...query, type, name });
    return done();
  }

  @Post(':type/:name')
  @HttpCode(201)
  async write(
    @Caller() caller: Caller,
    @Param('type') type: string,
    @Param('name') name: string,
    @Body() { data, tenant, user }: NewSecret,
    @Query() query: SecretPlaceQuery,
  ) {
    const written = await this.vault.write(caller, { ...query, tenant, user, type, name }, data);
    return reply('SK_CREATED', `version ${written.version}`, written, { status: 201 });
  }

  @Get(':type/:name')
  async read(
    @Caller() caller: Caller,
    @Param('type') type: string,
    @Param('name') name: string,
    @Query() query: SecretQuery,
  ) {
    return reply(
      'SK_FOUND',
      'secret',
      await this.vault.read(caller, { ...query, type, name }, query.version),
    );
  }
}
