import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { SystemAccess } from '../clients/system-access';
import type { SystemAttributes } from '../domain/system';
import { SystemsStore } from '../store/systems.store';

/** The data transfer node of an execution system: there, readable by the caller, and on the same shared storage. */
@Injectable()
export class DtnCheck {
  constructor(
    private readonly systems: SystemsStore,
    private readonly access: SystemAccess,
  ) {}

  async assertFits(caller: Caller, { id, dtnSystemId, rootDir }: SystemAttributes): Promise<void> {
    if (!dtnSystemId) return;
    const dtn = await this.systems.find(caller.tenant, caller.user, dtnSystemId);
    if (!dtn || dtn.deleted || !(await this.access.mayRead(caller, dtn))) {
      throw new BadInput(
        'SYSLIB_DTN_NO_SYSTEM',
        `dtnSystemId of system "${id}": there is no system "${dtnSystemId}" that ${caller.user} can see.`,
      );
    }
    if (dtn.attributes.rootDir !== rootDir) {
      throw new BadInput(
        'SYSLIB_DTN_ROOTDIR_MISMATCH',
        `dtnSystemId of system "${id}": "${dtnSystemId}" has rootDir "${dtn.attributes.rootDir}", not "${rootDir}".`,
      );
    }
  }
}
