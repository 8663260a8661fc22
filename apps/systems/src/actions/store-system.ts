import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database, Idempotency } from '@libs/database';
import { Conflict, Forbidden, NotReady, reply, type Reply } from '@libs/envelope';
import { CredentialVault } from '../clients/credential-vault';
import { SystemAccess } from '../clients/system-access';
import { addressOf } from '../domain/address';
import { masked, methodsIn, type Credential } from '../domain/credential';
import type { SystemAttributes } from '../domain/system';
import { ChildSystemsStore } from '../store/child-systems.store';
import { CredInfoStore } from '../store/cred-info.store';
import { HistoryStore } from '../store/history.store';
import { KernelNotesStore, type KernelNote } from '../store/kernel-notes.store';
import { SystemsStore } from '../store/systems.store';
import { KernelAgreement } from './kernel-agreement';
import { RelatedSystems } from './related-systems';

export type OwnedSystem = SystemAttributes & { owner: string };

/** A row to be made, and what belongs to it. */
export interface SystemToStore {
  system: OwnedSystem;
  parent?: { seqId: string; id: string };
  hostKeys: string[];
  credential?: Credential;
  url: string;
}

/** Makes the row of a system, and what belongs to it in the security kernel. Whatever fails, nothing half-made remains. */
@Injectable()
export class StoreSystem {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly systems: SystemsStore,
    private readonly credInfo: CredInfoStore,
    private readonly children: ChildSystemsStore,
    private readonly related: RelatedSystems,
    private readonly history: HistoryStore,
    private readonly notes: KernelNotesStore,
    private readonly agreement: KernelAgreement,
    private readonly access: SystemAccess,
    private readonly vault: CredentialVault,
  ) {}

  async store(
    caller: Caller,
    { system, parent, hostKeys, credential, url }: SystemToStore,
  ): Promise<Reply<{ url: string }>> {
    const { tenant } = caller;
    const { id, owner, effectiveUserId: user } = system;
    const methods = credential ? methodsIn(credential) : [];
    const who = credential ? { user, isStatic: true } : null;
    const note = await this.notes.write({ tenant, id, owner, credential: who, methods });
    let told = false;
    const made = this.database.transaction(async (tx) => {
      await this.notes.lockSystem(tx, note);
      if (!(await this.notes.remove(tx, note))) throw tooSlow(id);
      const seqId = await this.systems.insert(tx, tenant, system, hostKeys, parent?.id);
      if (!seqId) throw taken(id);
      if (parent) await this.children.join(tx, seqId, parent);
      await this.related.assertStay(tx, tenant, system);
      const description = {
        ...system,
        ...(parent ? { parentId: parent.id } : {}),
        ...(credential ? { authnCredential: masked(credential) } : {}),
      };
      await this.history.add(tx, seqId, caller, 'create', description);
      told = true;
      if (credential && who) {
        await this.credInfo.add(tx, { seqId, ...who }, { methods, address: addressOf(system) });
        await this.vault.write({ tenant, systemId: id, ...who }, credential, methods);
      }
      await this.access.grantFiles(tenant, owner, id);
      const text = `system "${id}" created by ${caller.user}@${tenant}`;
      return this.idempotency.answer(tx, reply('SYSAPI_CREATED', text, { url }, { status: 201 }));
    });
    // The row goes by itself when something fails; what the security kernel was told does not.
    return made.catch(async (error: unknown) => {
      if (told) await this.agreement.settle(note).catch(() => undefined);
      else await this.forget(note).catch(() => undefined);
      throw error;
    });
  }

  private forget(note: KernelNote): Promise<boolean> {
    return this.database.transaction((tx) => this.notes.remove(tx, note));
  }

  /** Deleted systems keep their id. */
  async assertFree(caller: Caller, id: string): Promise<void> {
    if (await this.systems.find(caller.tenant, caller.user, id)) throw taken(id);
  }

  async assertMayOwn(caller: Caller, { id, owner }: OwnedSystem): Promise<void> {
    if (owner === caller.user || (await this.access.isAdmin(caller))) return;
    throw new Forbidden(
      'SYSLIB_UNAUTH',
      `${caller.user}@${caller.tenant} may not create system "${id}" for owner "${owner}": only tenant administrators may.`,
    );
  }
}

function taken(id: string): Conflict {
  return new Conflict(
    'SYSLIB_SYS_EXISTS',
    `There is a system "${id}" already (deleted systems keep their id).`,
  );
}

const tooSlow = (id: string): NotReady =>
  new NotReady('SYSLIB_CREATE_TOO_SLOW', `Creating system "${id}" took too long, try again.`);
