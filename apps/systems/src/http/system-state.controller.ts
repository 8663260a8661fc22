import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { Caller, ServicesOnly } from '@libs/auth';
import { reply } from '@libs/envelope';
import { IfMatch } from '@libs/service-kit';
import { HostKeys } from '../actions/host-keys';
import { ReadSystems } from '../actions/read-systems';
import { SystemLife } from '../actions/system-life';
import { HostKey } from './system-query';

const done = (text: string, changes: number) => reply('SYSAPI_UPDATED', text, { changes });

/** What happens to a system without a body, and what its host is asked. */
@Controller('v3/systems/:systemId')
export class SystemStateController {
  constructor(
    private readonly life: SystemLife,
    private readonly systems: ReadSystems,
    private readonly hostKeys: HostKeys,
  ) {}

  @Get('isEnabled')
  async isEnabled(@Caller() caller: Caller, @Param('systemId') id: string) {
    const { enabled } = await this.systems.readable(caller, id);
    return reply('SYSAPI_FOUND', `system "${id}" is ${enabled ? 'enabled' : 'disabled'}`, {
      aBool: enabled,
    });
  }

  @Get('history')
  async history(@Caller() caller: Caller, @Param('systemId') id: string) {
    const entries = await this.life.historyOf(caller, id);
    return reply('SYSAPI_FOUND', `${entries.length} changes of system "${id}"`, entries);
  }

  @Post('enable')
  async enable(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @IfMatch() ifMatch?: string,
  ) {
    return done(`system "${id}" enabled`, await this.life.setEnabled(caller, id, true, ifMatch));
  }

  @Post('disable')
  async disable(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @IfMatch() ifMatch?: string,
  ) {
    return done(`system "${id}" disabled`, await this.life.setEnabled(caller, id, false, ifMatch));
  }

  @Post('delete')
  async delete(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @IfMatch() ifMatch?: string,
  ) {
    return done(`system "${id}" deleted`, await this.life.delete(caller, id, ifMatch));
  }

  @Post('undelete')
  async undelete(@Caller() caller: Caller, @Param('systemId') id: string) {
    return done(`system "${id}" undeleted`, await this.life.undelete(caller, id));
  }

  @Post('changeOwner/:userName')
  async changeOwner(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('userName') owner: string,
    @IfMatch() ifMatch?: string,
  ) {
    const changes = await this.life.changeOwner(caller, id, owner, ifMatch);
    return done(`system "${id}" belongs to ${owner}`, changes);
  }

  @Get('hostEval/:envVarName')
  async hostEval(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Param('envVarName') variable: string,
  ) {
    const name = await this.hostKeys.evaluate(caller, id, variable);
    return reply('SYSAPI_HOST_EVAL', `${variable} on the host of system "${id}"`, { name });
  }

  @ServicesOnly('files', 'jobs')
  @Post('hostKey')
  async pin(
    @Caller() caller: Caller,
    @Param('systemId') id: string,
    @Body() { fingerprint }: HostKey,
  ) {
    const hostKeys = await this.hostKeys.pin(caller, id, fingerprint);
    return reply('SYSAPI_HOST_KEY_PINNED', `system "${id}"`, { hostKeys });
  }

  @Delete('hostKey')
  async forget(@Caller() caller: Caller, @Param('systemId') id: string) {
    await this.hostKeys.forget(caller, id);
    return reply(
      'SYSAPI_HOST_KEY_FORGOTTEN',
      `the next login pins the key of system "${id}"`,
      null,
    );
  }
}
