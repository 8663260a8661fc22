import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { BadInput } from '@libs/envelope';
import { requireMatch } from '@libs/service-kit';
import { SystemAccess } from '../clients/system-access';
import { readBody } from '../domain/read-body';
import { addressOf } from '../domain/address';
import { assertChildChange, changed, isEmpty, type Change } from '../domain/change';
import { isDynamic } from '../domain/effective-user';
import { afterBody, brokenRules, refuseBroken } from '../domain/rules';
import { NOT_REPLACED, SystemPatch, SystemPut, type SystemAttributes } from '../domain/system';
import { ChildSystemsStore } from '../store/child-systems.store';
import { CredInfoStore } from '../store/cred-info.store';
import { HistoryStore } from '../store/history.store';
import { KernelNotesStore, type KernelNote } from '../store/kernel-notes.store';
import { addressOfRow, type SystemRow } from '../store/system-row';
import { SystemsStore } from '../store/systems.store';
import { KernelAgreement } from './kernel-agreement';
import { ReadSystems } from './read-systems';
import { RelatedSystems } from './related-systems';
import { attributesOf, etagOfSystem } from './shown';
import type { EntityManager } from 'typeorm';

/** Changes of what systems are; each is one transaction with its line of history. */
@Injectable()
export class ChangeSystems {
  constructor(
    private readonly database: Database,
    private readonly systems: SystemsStore,
    private readonly children: ChildSystemsStore,
    private readonly credInfo: CredInfoStore,
    private readonly history: HistoryStore,
    private readonly notes: KernelNotesStore,
    private readonly agreement: KernelAgreement,
    private readonly access: SystemAccess,
    private readonly read: ReadSystems,
    private readonly related: RelatedSystems,
  ) {}

  patch(caller: Caller, id: string, body: unknown, ifMatch?: string): Promise<void> {
    return this.change(caller, id, ifMatch, () => {
      const { value, ...wrong } = readBody(SystemPatch, body);
      return { ...wrong, change: { patch: value } };
    });
  }

  put(caller: Caller, id: string, body: unknown, ifMatch?: string): Promise<void> {
    return this.change(caller, id, ifMatch, () => {
      const { value, ...wrong } = readBody(SystemPut, body, NOT_REPLACED);
      return { ...wrong, change: { replace: value } };
    });
  }

  /** Two changes at once never mix: the second one sees what the first one wrote. */
  private async change(
    caller: Caller,
    id: string,
    ifMatch: string | undefined,
    read: () => { change: Change; violations: string[]; unclear: ReadonlySet<string> },
  ): Promise<void> {
    const { change, violations, unclear } = read();
    const row = await afterBody(id, violations, this.modifiable(caller, id));
    const planned = changed(attributesOf(row), change);
    const elsewhere = await this.related.broken(caller, planned, unclear);
    const trusted = await this.mayMoveCredentials(caller, row, planned);
    const note = await this.database.transaction(async (tx) => {
      const now = await this.systems.forUpdate(tx, caller.tenant, caller.user, id);
      if (!now || now.deleted) throw this.access.missing(caller.tenant, id);
      requireMatch(ifMatch, etagOfSystem(now), `system "${id}"`);
      if (now.parentId) assertChildChange(id, change);
      const next = changed(attributesOf(now), change);
      const rules = brokenRules(next, undefined, unclear);
      refuseBroken(id, [
        ...violations,
        ...rules,
        ...elsewhere,
        ...(await this.family(tx, now, next)),
      ]);
      if (isEmpty(change)) throw new BadInput('SYSLIB_UPD_NO_CHANGE', 'The patch changes nothing.');
      await this.related.assertStay(tx, caller.tenant, newlyNamed(now.attributes, next));
      await this.systems.replace(tx, now, next);
      await this.children.inherit(tx, now);
      if (trusted) await this.credInfo.follow(tx, now, addressOfRow(now), addressOf(next));
      const said = 'patch' in change ? change.patch : change.replace;
      await this.history.add(tx, now.seqId, caller, 'modify', said);
      return this.dropOldLogin(tx, now, next);
    });
    // Another login: what was registered for the old one must not wait for somebody to name it again.
    if (note) await this.agreement.settle(note);
  }

  private async modifiable(caller: Caller, id: string): Promise<SystemRow> {
    const row = await this.read.live(caller, id);
    await this.access.assertMayModify(caller, row);
    return row;
  }

  /** Whoever merely holds MODIFY may name another host, but what others log in with does not follow there. */
  private async mayMoveCredentials(
    caller: Caller,
    row: SystemRow,
    planned: SystemAttributes,
  ): Promise<boolean> {
    if (addressOf(planned) === addressOfRow(row)) return false;
    return caller.user === row.owner || this.access.isAdmin(caller);
  }

  /** Rules that the children of a system set, and being one. */
  private async family(
    tx: EntityManager,
    { tenant, id, parentId }: SystemRow,
    next: SystemAttributes,
  ): Promise<string[]> {
    if (parentId) {
      return next.allowChildren
        ? [
            `SYSLIB_CHILD_NOT_PERMITTED system "${id}" is a child of "${parentId}": it can't be a parent`,
          ]
        : [];
    }
    const children = await this.children.of(tx, tenant, id);
    if (!children.length) return [];
    const broken: string[] = [];
    if (!next.allowChildren)
      broken.push(
        `SYSLIB_CHILD_ALLOW_CONFLICT_ERROR allowChildren of system "${id}" must stay true while it has children: ${names(children)}`,
      );
    const elsewhere = children.filter((child) => child.rootDir !== next.rootDir);
    if (next.dtnSystemId && elsewhere.length)
      broken.push(
        `SYSLIB_DTN_ROOTDIR_MISMATCH dtnSystemId of system "${id}" would not fit its children with another rootDir: ${names(elsewhere)}`,
      );
    return broken;
  }

  private async dropOldLogin(
    tx: EntityManager,
    { seqId, tenant, id, attributes, methods }: SystemRow,
    next: SystemAttributes,
  ): Promise<KernelNote | undefined> {
    const user = attributes.effectiveUserId;
    if (next.effectiveUserId === user || isDynamic(user) || !methods?.length) return undefined;
    const credential = { user, isStatic: true };
    await this.credInfo.remove(tx, { seqId, ...credential });
    return this.notes.write({ tenant, id, owner: null, credential, methods }, tx);
  }
}

/** What was named before is held by that: two systems that name each other never wait for one another. */
const newlyNamed = (
  before: Pick<SystemAttributes, 'dtnSystemId'>,
  { dtnSystemId, batchSchedulerProfile }: SystemAttributes,
) => ({
  batchSchedulerProfile,
  dtnSystemId: dtnSystemId === before.dtnSystemId ? undefined : dtnSystemId,
});

const names = (systems: { id: string }[]): string =>
  systems
    .slice(0, 10)
    .map(({ id }) => `"${id}"`)
    .join(', ');
