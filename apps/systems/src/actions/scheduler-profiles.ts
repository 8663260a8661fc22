import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database, Idempotency } from '@libs/database';
import { Conflict, Forbidden, NotFound, reply, type Reply } from '@libs/envelope';
import { SystemAccess } from '../clients/system-access';
import type { NewSchedulerProfile } from '../domain/scheduler-profile';
import { SchedulerProfilesStore, type SchedulerProfile } from '../store/scheduler-profiles.store';
import { ownerIn } from './create-system';

/** Scheduler profiles: seen by everybody of the tenant, removed by who made them. */
@Injectable()
export class SchedulerProfiles {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly profiles: SchedulerProfilesStore,
    private readonly access: SystemAccess,
  ) {}

  list({ tenant }: Caller): Promise<Shown[]> {
    return this.profiles.list(tenant).then((all) => all.map(shown));
  }

  async get({ tenant }: Caller, name: string): Promise<Shown> {
    const found = await this.profiles.find(tenant, name);
    if (found) return shown(found);
    throw new NotFound(
      'SYSLIB_PRF_NOT_FOUND',
      `There is no scheduler profile "${name}" in tenant ${tenant}.`,
      name,
    );
  }

  async create(
    caller: Caller,
    body: NewSchedulerProfile,
    url: string,
  ): Promise<Reply<{ url: string }>> {
    const { tenant, user } = caller;
    const { name } = body;
    const owner = ownerIn(body, caller);
    if (owner !== user && !(await this.access.isAdmin(caller)))
      throw new Forbidden(
        'SYSLIB_PRF_UNAUTH',
        `${user}@${tenant} may not create scheduler profile "${name}" for owner "${owner}": only tenant administrators may.`,
      );
    return this.database.transaction(async (tx) => {
      if (!(await this.profiles.insert(tx, tenant, { ...body, owner })))
        throw new Conflict(
          'SYSLIB_PRF_EXISTS',
          `There is a scheduler profile "${name}" already in tenant ${tenant}.`,
        );
      const text = `scheduler profile "${name}" created by ${user}@${tenant}`;
      const answer = reply('SYSAPI_PRF_CREATED', text, { url: `${url}/${name}` }, { status: 201 });
      return this.idempotency.answer(tx, answer);
    });
  }

  /** Of one that is not there: 0. One that systems name stays (ruling 60). */
  async remove(caller: Caller, name: string): Promise<number> {
    const { tenant, user } = caller;
    const found = await this.profiles.find(tenant, name);
    if (!found) return 0;
    if (found.owner !== user && !(await this.access.isAdmin(caller)))
      throw new Forbidden(
        'SYSLIB_PRF_UNAUTH',
        `${user}@${tenant} may not delete scheduler profile "${name}": its owner and tenant administrators may.`,
      );
    return this.database.transaction(async (tx) => {
      const system = await this.profiles.user(tx, tenant, name);
      if (system)
        throw new Conflict(
          'SYSLIB_PRF_IN_USE',
          `Scheduler profile "${name}" is used by systems of tenant ${tenant}.`,
        );
      return this.profiles.remove(tx, tenant, name);
    });
  }
}

type Shown = Omit<SchedulerProfile, 'description'> & { description?: string };

/** Attributes that are not set are left out, as everywhere. */
const shown = ({ description, ...profile }: SchedulerProfile): Shown => ({
  ...profile,
  ...(description == null ? {} : { description }),
});
