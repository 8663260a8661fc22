import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { BadInput, Forbidden } from '@libs/envelope';
import { HostCheck } from '../clients/host-check';
import { SystemAccess } from '../clients/system-access';
import { credentialUser, loginFor } from '../domain/effective-user';
import { HistoryStore } from '../store/history.store';
import { SystemsStore } from '../store/systems.store';
import { ReadSystems } from './read-systems';

/** The pinned key of a host, and what can be asked of the host itself. */
@Injectable()
export class HostKeys {
  constructor(
    private readonly database: Database,
    private readonly systems: SystemsStore,
    private readonly history: HistoryStore,
    private readonly access: SystemAccess,
    private readonly hosts: HostCheck,
    private readonly read: ReadSystems,
  ) {}

  /** A service met a host with no pinned key: the first key told stays, another one is refused. */
  async pin(caller: Caller, id: string, fingerprint: string): Promise<string[]> {
    const row = await this.read.live(caller, id);
    const pinned = await this.systems.pin(row.seqId, fingerprint);
    if (!pinned.includes(fingerprint)) {
      throw new Forbidden(
        'HOST_KEY_CHANGED',
        `Host ${row.host} of system "${id}" shows key ${fingerprint}, pinned is ${pinned.join(', ')}.`,
      );
    }
    return pinned;
  }

  /** The owner set the host up anew: the next login pins its new key. */
  async forget(caller: Caller, id: string): Promise<void> {
    const row = await this.read.live(caller, id);
    await this.access.assertOwnerOrAdmin(caller, row, 'forget the host key of');
    await this.database.transaction(async (tx) => {
      await this.systems.unpin(tx, row);
      await this.history.add(tx, row.seqId, caller, 'forgetHostKey', { hostKeys: row.hostKeys });
    });
  }

  /** The value of a variable in the environment of the caller's login on the host. */
  async evaluate(caller: Caller, id: string, name: string): Promise<string> {
    const row = await this.read.readable(caller, id);
    if (!/^\$?[A-Za-z_]\w{0,127}$/.test(name)) {
      throw new BadInput(
        'SYSLIB_HOST_EVAL_INVALID_ENV_VAR',
        `"${name}" is not the name of a variable.`,
      );
    }
    if (row.systemType !== 'LINUX') {
      throw new BadInput(
        'SYSLIB_HOST_EVAL_SYSTYPE',
        `Variables can be asked of LINUX systems only; "${id}" is ${row.systemType}.`,
      );
    }
    const { effectiveUserId, port } = row.attributes;
    const credential = await this.read.credential(row, caller.user);
    if (!credential) {
      const user = credentialUser(effectiveUserId, caller.user);
      throw new Forbidden(
        'SYSAPI_CRED_NOT_FOUND',
        `User "${user}" has no credential on system "${id}".`,
      );
    }
    const address = { id, host: row.host, port, hostKeys: row.hostKeys };
    return this.hosts.ask(
      address,
      loginFor(effectiveUserId, caller.user, row.login),
      credential,
      name.replace(/^\$/, ''),
    );
  }
}
