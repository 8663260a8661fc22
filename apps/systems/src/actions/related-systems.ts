import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { SystemAccess } from '../clients/system-access';
import { hasHostEval } from '../domain/root-dir';
import type { SystemAttributes } from '../domain/system';
import { SchedulerProfilesStore } from '../store/scheduler-profiles.store';
import { SystemsStore } from '../store/systems.store';
import type { EntityManager } from 'typeorm';

/** What a system names. */
type Names = Pick<SystemAttributes, 'dtnSystemId' | 'batchSchedulerProfile'>;

/** Rules about what a system names: its data transfer node and its scheduler profile. */
@Injectable()
export class RelatedSystems {
  constructor(
    private readonly systems: SystemsStore,
    private readonly profiles: SchedulerProfilesStore,
    private readonly access: SystemAccess,
  ) {}

  /** The broken ones, each with its code; nothing is said about attributes that are `unclear`. */
  async broken(
    caller: Caller,
    system: SystemAttributes,
    unclear: ReadonlySet<string> = new Set(),
  ): Promise<string[]> {
    const dtn = unclear.has('dtnSystemId') || unclear.has('rootDir');
    const profile = unclear.has('batchSchedulerProfile');
    return [
      ...(dtn ? [] : await this.dtn(caller, system)),
      ...(profile ? [] : await this.profile(caller.tenant, system)),
    ];
  }

  /** What the system names was there when it was looked at: it must be when the system is stored, and stays till then. */
  async assertStay(
    tx: EntityManager,
    tenant: string,
    { dtnSystemId, batchSchedulerProfile }: Names,
  ): Promise<void> {
    if (dtnSystemId && !(await this.systems.held(tx, tenant, dtnSystemId)))
      throw new BadInput(
        'SYSLIB_DTN_NO_SYSTEM',
        `There is no system "${dtnSystemId}" any more that could be a data transfer node.`,
      );
    await this.profiles.assertStays(tx, tenant, batchSchedulerProfile);
  }

  /** Another system, there, readable by the caller, and on the same shared storage. */
  private async dtn(
    caller: Caller,
    { id, dtnSystemId, rootDir }: SystemAttributes,
  ): Promise<string[]> {
    if (!dtnSystemId) return [];
    if (dtnSystemId === id)
      return [
        `SYSLIB_DTN_NO_SYSTEM dtnSystemId of system "${id}": a system can't be its own data transfer node`,
      ];
    const dtn = await this.systems.find(caller.tenant, caller.user, dtnSystemId);
    if (!dtn || dtn.deleted || !(await this.access.mayRead(caller, dtn)))
      return [
        `SYSLIB_DTN_NO_SYSTEM dtnSystemId of system "${id}": there is no system "${dtnSystemId}" that ${caller.user} can see`,
      ];
    // what HOST_EVAL stands for is known only after a login; whoever creates the system looks again then
    if (hasHostEval(rootDir) || dtn.attributes.rootDir === rootDir) return [];
    return [
      `SYSLIB_DTN_ROOTDIR_MISMATCH dtnSystemId of system "${id}": "${dtnSystemId}" has rootDir "${dtn.attributes.rootDir}", not "${rootDir}"`,
    ];
  }

  private async profile(
    tenant: string,
    { id, batchSchedulerProfile: name }: SystemAttributes,
  ): Promise<string[]> {
    if (!name || (await this.profiles.find(tenant, name))) return [];
    return [
      `SYSLIB_PRF_NO_PROFILE batchSchedulerProfile of system "${id}": there is no scheduler profile "${name}" in tenant ${tenant}`,
    ];
  }
}
