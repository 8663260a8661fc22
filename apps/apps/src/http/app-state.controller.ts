import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { IfMatch } from '@libs/service-kit';
import { ChangeApps } from '../actions/change-apps';
import { ReadApps } from '../actions/read-apps';
import { EnabledQuery } from './app-query';

const done = (what: string, changes: number) => reply('APPAPI_UPDATED', what, { changes });

/** What happens to an app, or to one of its versions, without a body. */
@Controller('v3/apps')
export class AppStateController {
  constructor(
    private readonly changes: ChangeApps,
    private readonly apps: ReadApps,
  ) {}

  @Get(':appId/isEnabled')
  async isEnabled(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Query() { version }: EnabledQuery,
  ) {
    const app = await this.apps.readable(caller, id, version);
    const aBool = app.enabled && (version === undefined || app.versionEnabled);
    return reply('APPAPI_FOUND', `app "${id}" is ${aBool ? 'enabled' : 'disabled'}`, { aBool });
  }

  @Get(':appId/history')
  async history(@Caller() caller: Caller, @Param('appId') id: string) {
    const entries = await this.changes.historyOf(caller, id);
    return reply('APPAPI_FOUND', `${entries.length} changes of app "${id}"`, entries);
  }

  @Post(':appId/enable')
  async enable(@Caller() caller: Caller, @Param('appId') id: string, @IfMatch() ifMatch?: string) {
    return done(`app "${id}" enabled`, await this.changes.setEnabled(caller, id, true, ifMatch));
  }

  @Post(':appId/disable')
  async disable(@Caller() caller: Caller, @Param('appId') id: string, @IfMatch() ifMatch?: string) {
    return done(`app "${id}" disabled`, await this.changes.setEnabled(caller, id, false, ifMatch));
  }

  @Post(':appId/delete')
  async delete(@Caller() caller: Caller, @Param('appId') id: string, @IfMatch() ifMatch?: string) {
    return done(`app "${id}" deleted`, await this.changes.setDeleted(caller, id, true, ifMatch));
  }

  @Post(':appId/undelete')
  async undelete(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @IfMatch() ifMatch?: string,
  ) {
    return done(`app "${id}" undeleted`, await this.changes.setDeleted(caller, id, false, ifMatch));
  }

  @Post(':appId/changeOwner/:userName')
  async changeOwner(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Param('userName') user: string,
    @IfMatch() ifMatch?: string,
  ) {
    const changes = await this.changes.changeOwner(caller, id, user, ifMatch);
    return done(`app "${id}" belongs to "${user}"`, changes);
  }

  @Post(':appId/:appVersion/enable')
  async enableVersion(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Param('appVersion') version: string,
    @IfMatch() ifMatch?: string,
  ) {
    return done(
      `version "${version}" of app "${id}" enabled`,
      await this.changes.setVersionFlag(
        caller,
        id,
        version,
        'version_enabled',
        true,
        'enable',
        ifMatch,
      ),
    );
  }

  @Post(':appId/:appVersion/disable')
  async disableVersion(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Param('appVersion') version: string,
    @IfMatch() ifMatch?: string,
  ) {
    return done(
      `version "${version}" of app "${id}" disabled`,
      await this.changes.setVersionFlag(
        caller,
        id,
        version,
        'version_enabled',
        false,
        'disable',
        ifMatch,
      ),
    );
  }

  @Post(':appId/:appVersion/lock')
  async lock(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Param('appVersion') version: string,
    @IfMatch() ifMatch?: string,
  ) {
    return done(
      `version "${version}" of app "${id}" locked`,
      await this.changes.setVersionFlag(caller, id, version, 'locked', true, 'lock', ifMatch),
    );
  }

  @Post(':appId/:appVersion/unlock')
  async unlock(
    @Caller() caller: Caller,
    @Param('appId') id: string,
    @Param('appVersion') version: string,
    @IfMatch() ifMatch?: string,
  ) {
    return done(
      `version "${version}" of app "${id}" unlocked`,
      await this.changes.setVersionFlag(caller, id, version, 'locked', false, 'unlock', ifMatch),
    );
  }
}
