import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { BadInput, Conflict } from '@libs/envelope';
import { UserDirectory } from '@libs/security-client';
import { requireMatch } from '@libs/service-kit';
import { SystemAccess } from '../clients/system-access';
import { isDynamic } from '../domain/effective-user';
import { refuseBroken } from '../domain/rules';
import { ChildSystemsStore } from '../store/child-systems.store';
import { CredInfoStore } from '../store/cred-info.store';
import { HistoryStore } from '../store/history.store';
import { KernelNotesStore, type KernelNote } from '../store/kernel-notes.store';
import type { SystemRow } from '../store/system-row';
import { SystemsStore } from '../store/systems.store';
import { KernelAgreement } from './kernel-agreement';
import { ReadSystems } from './read-systems';
import { RelatedSystems } from './related-systems';
import { attributesOf, etagOfSystem } from './shown';
import type { EntityManager } from 'typeorm';

/** Enabling, deleting, handing over: what owners and tenant admins do with a system as a whole. */
@Injectable()
export class SystemLife {
  constructor(
    private readonly database: Database,
    private readonly systems: SystemsStore,
    private readonly children: ChildSystemsStore,
    private readonly credInfo: CredInfoStore,
    private readonly history: HistoryStore,
    private readonly notes: KernelNotesStore,
    private readonly agreement: KernelAgreement,
    private readonly access: SystemAccess,
    private readonly users: UserDirectory,
    private readonly read: ReadSystems,
    private readonly related: RelatedSystems,
  ) {}

  async setEnabled(
    caller: Caller,
    id: string,
    enabled: boolean,
    ifMatch?: string,
  ): Promise<number> {
    const row = await this.read.live(caller, id);
    const operation = enabled ? 'enable' : 'disable';
    await this.access.assertOwnerOrAdmin(caller, row, operation);
    await this.locked(caller, row, ifMatch, async (tx, now) => {
      await this.systems.setFlags(tx, now.seqId, { enabled });
      await this.history.add(tx, now.seqId, caller, operation, { enabled });
    });
    return 1;
  }

  /** Hides the system and takes away what others may do with it, the owner's files right and a static login's credential; may be repeated. */
  async delete(caller: Caller, id: string, ifMatch?: string): Promise<number> {
    const row = await this.any(caller, id, 'delete');
    const note = await this.locked(caller, row, ifMatch, async (tx, now) => {
      await this.assertNotNeeded(tx, now);
      await this.systems.setFlags(tx, now.seqId, { deleted: true });
      await this.history.add(tx, now.seqId, caller, 'delete', { deleted: true });
      return this.withoutLogin(tx, now);
    });
    await this.agreement.settle(note);
    return 1;
  }

  /** Of a live system: 0 (ruling 60). A child comes back as its parent is now; what it names must still be there. */
  async undelete(caller: Caller, id: string): Promise<number> {
    const row = await this.any(caller, id, 'undelete');
    if (!row.deleted) return 0;
    await this.assertWhole(caller, row);
    const note = await this.locked(caller, row, undefined, async (tx, now) => {
      if (!now.deleted) return undefined;
      const parent = now.parentId ? await this.parentOf(tx, now, now.parentId) : undefined;
      // What others could do with it is gone, also when its deletion was cut off.
      await this.access.forget(now);
      await this.systems.setFlags(tx, now.seqId, { deleted: false });
      if (parent) await this.children.inherit(tx, parent);
      await this.related.assertStay(tx, now.tenant, (parent ?? now).attributes);
      await this.history.add(tx, now.seqId, caller, 'undelete', { deleted: false });
      const { tenant, owner } = now;
      return this.notes.write({ tenant, id, owner, credential: null, methods: [] }, tx);
    });
    if (!note) return 0;
    await this.agreement.settle(note);
    return 1;
  }

  /** The right to all files goes along; grants, shares and credentials stay. */
  async changeOwner(caller: Caller, id: string, owner: string, ifMatch?: string): Promise<number> {
    const row = await this.read.live(caller, id);
    await this.access.assertOwnerOrAdmin(caller, row, 'change the owner of');
    if (owner === row.owner) return 0;
    await this.users.assertKnown(caller, owner, 'SYSLIB_UNKNOWN_USER');
    const note = await this.locked(caller, row, ifMatch, async (tx, now) => {
      // The one who asked may have handed it over meanwhile.
      await this.access.assertOwnerOrAdmin(caller, now, 'change the owner of');
      if (now.owner === owner) return undefined;
      await this.systems.setOwner(tx, now.seqId, owner);
      const owners = { oldValue: now.owner, newValue: owner };
      await this.history.add(tx, now.seqId, caller, 'changeOwner', { System: id, owner: owners });
      const { tenant } = now;
      return this.notes.write({ tenant, id, owner: now.owner, credential: null, methods: [] }, tx);
    });
    if (!note) return 0;
    await this.agreement.settle(note);
    return 1;
  }

  /** Works on deleted systems too. */
  async historyOf(caller: Caller, id: string) {
    const row = await this.systems.find(caller.tenant, caller.user, id);
    if (!row) throw this.access.missing(caller.tenant, id);
    await this.access.assertMayRead(caller, row);
    const entries = await this.history.list(row.seqId);
    return entries.map(({ version, ...entry }) => entry);
  }

  /** Children need their parent; systems of the same owner need their data transfer node. */
  private async assertNotNeeded(
    tx: EntityManager,
    { tenant, id, owner, deleted }: SystemRow,
  ): Promise<void> {
    if (deleted) return;
    const [child] = await this.children.of(tx, tenant, id);
    if (child)
      throw new BadInput(
        'SYSLIB_CHILD_HAS_CHILD_ERROR',
        `System "${id}" has children that are not deleted, such as "${child.id}": delete or unlink them first.`,
      );
    // Others, who merely may read it, can't keep the owner from deleting it.
    const [user] = await this.systems.usingDtn(tx, tenant, id, owner);
    if (user)
      throw new Conflict(
        'SYSLIB_DTN_IN_USE',
        `System "${id}" is the data transfer node of system "${user}" of the same owner.`,
      );
  }

  /** Its data transfer node and scheduler profile, or those of its parent, are there and fit. */
  private async assertWhole(caller: Caller, row: SystemRow): Promise<void> {
    const { id, tenant, parentId, attributes } = row;
    const parent = parentId ? await this.systems.find(tenant, caller.user, parentId) : undefined;
    const { rootDir } = attributes;
    const planned = { ...attributesOf(parent ?? row), id, rootDir };
    if (!parent?.deleted) refuseBroken(id, await this.related.broken(caller, planned));
  }

  private async parentOf(
    tx: EntityManager,
    { tenant, id }: SystemRow,
    parentId: string,
  ): Promise<SystemRow> {
    const parent = await this.systems.forUpdate(tx, tenant, '', parentId);
    if (parent && !parent.deleted && parent.attributes.allowChildren) return parent;
    throw new BadInput(
      'SYSLIB_CHILD_PARENT_NOT_FOUND',
      `The parent "${parentId}" of system "${id}" is deleted or allows no children any more.`,
    );
  }

  private async withoutLogin(tx: EntityManager, row: SystemRow): Promise<KernelNote> {
    const { seqId, tenant, id, owner, attributes, methods } = row;
    const user = attributes.effectiveUserId;
    const credential = isDynamic(user) ? null : { user, isStatic: true };
    if (credential) await this.credInfo.remove(tx, { seqId, ...credential });
    const kept = credential ? (methods ?? []) : [];
    return this.notes.write({ tenant, id, owner, credential, methods: kept }, tx);
  }

  private async any(caller: Caller, id: string, what: string): Promise<SystemRow> {
    const row = await this.systems.find(caller.tenant, caller.user, id);
    if (!row) throw this.access.missing(caller.tenant, id);
    await this.access.assertOwnerOrAdmin(caller, row, what);
    return row;
  }

  private locked<T>(
    caller: Caller,
    row: SystemRow,
    ifMatch: string | undefined,
    work: (tx: EntityManager, now: SystemRow) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const now = await this.systems.forUpdate(tx, row.tenant, caller.user, row.id);
      if (!now) throw this.access.missing(row.tenant, row.id);
      requireMatch(ifMatch, etagOfSystem(now), `system "${row.id}"`);
      return work(tx, now);
    });
  }
}
