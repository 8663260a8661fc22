import { Controller, Get, Param, Query } from '@nestjs/common';
import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Text, Whole } from '@libs/fields';
import { platform } from '@libs/platform-name';
import { Gives } from '@libs/service-kit';
import { Identities } from '../actions/identities';

const MOST = 1_000;

class ProfilesQuery {
  @Whole({ optional: true, min: 1, max: MOST, description: '100 unless the tenant says otherwise' })
  limit?: number;
  @Whole({ default: 0, min: 0 }) offset!: number;
}

/** For the API document; null: not known. */
class ProfileAnswer {
  @Text() username!: string;
  @Text({ nullable: true }) dn!: string | null;
  @Text({ nullable: true }) given_name!: string | null;
  @Text({ nullable: true }) last_name!: string | null;
  @Text({ nullable: true }) email!: string | null;
  @Text({ nullable: true }) phone!: string | null;
  @Text({ nullable: true }) mobile_phone!: string | null;
  @Text({ nullable: true }) create_time!: string | null;
  @Text({ nullable: true }) uid!: string | null;
}

/** Who the people of a tenant are, as far as their directory says (platform contract, 6.5). */
@Controller('v3/oauth2')
export class ProfilesController {
  constructor(private readonly identities: Identities) {}

  @Get('userinfo')
  @Gives(ProfileAnswer)
  async userinfo(@Caller() { tenant, user }: Caller) {
    const profile = await this.identities.profile(tenant, user);
    return reply('AUTHENTICATOR_USERINFO', `${user}@${tenant}`, profile);
  }

  /** `X-Svc-Offset` is where the next page begins. */
  @Get('profiles')
  @Gives([ProfileAnswer])
  async list(@Caller() { tenant }: Caller, @Query() { limit, offset }: ProfilesQuery) {
    const found = await this.identities.profiles(tenant, limit, offset);
    const headers = { [platform().header('Offset')]: String(offset + found.length) };
    return reply('AUTHENTICATOR_PROFILES_FOUND', `${found.length} profiles`, found, { headers });
  }

  @Get('profiles/:username')
  @Gives(ProfileAnswer)
  async get(@Caller() { tenant }: Caller, @Param('username') username: string) {
    const profile = await this.identities.profile(tenant, username);
    return reply('AUTHENTICATOR_PROFILE_FOUND', `${username}@${tenant}`, profile);
  }
}
