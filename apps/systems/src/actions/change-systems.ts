import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { BadInput } from '@libs/envelope';
import { requireMatch } from '@libs/service-kit';
import { CredentialVault } from '../clients/credential-vault';
import { SystemAccess } from '../clients/system-access';
import { isDynamic } from '../domain/effective-user';
import { assertRules } from '../domain/rules';
import type { SystemAttributes, SystemPatch, SystemPut } from '../domain/system';
import { CredInfoStore } from '../store/cred-info.store';
import { HistoryStore } from '../store/history.store';
import type { SystemRow } from '../store/system-row';
import { SystemsStore } from '../store/systems.store';
import { DtnCheck } from './dtn-check';
import { ReadSystems } from './read-systems';
import { SharedSystems } from './shared-systems';
import { attributesOf, etagOfSystem } from './shown';

type Change = { patch: SystemPatch } | { replace: SystemPut };

/** Changes of systems; each is one transaction with its line of history. */
@Injectable()
export class ChangeSystems {
  constructor(
    private readonly database: Database,
    private readonly systems: SystemsStore,
    private readonly credInfo: CredInfoStore,
    private readonly history: HistoryStore,
    private readonly access: SystemAccess,
    private readonly vault: CredentialVault,
    private readonly read: ReadSystems,
    private readonly dtn: DtnCheck,
    private readonly shared: SharedSystems,
  ) {}

  /** Two changes at once never mix: the second one sees what the first one wrote. */
  async change(caller: Caller, id: string, change: Change, ifMatch?: string): Promise<void> {
    const row = await this.read.live(caller, id);
    await this.access.assertMayModify(caller, row);
    await this.dtn.assertFits(caller, changed(row, change));
    const before = await this.database.transaction(async (tx) => {
      const now = await this.systems.forUpdate(tx, caller.tenant, caller.user, id);
      if (!now || now.deleted) throw this.access.missing(caller.tenant, id);
      requireMatch(ifMatch, etagOfSystem(now), `system "${id}"`);
      const next = changed(now, change);
      assertRules(next);
      await this.systems.replace(tx, now, next);
      await this.history.add(
        tx,
        now.seqId,
        caller,
        'modify',
        'patch' in change ? change.patch : change.replace,
      );
      return next.effectiveUserId === now.attributes.effectiveUserId ? undefined : now;
    });
    // Another login: what was registered for the old one must not wait for somebody to name it again.
    if (before) await this.dropStaticCredential(before);
  }

  async setEnabled(
    caller: Caller,
    id: string,
    enabled: boolean,
    ifMatch?: string,
  ): Promise<number> {
    const row = await this.read.live(caller, id);
    const operation = enabled ? 'enable' : 'disable';
    await this.access.assertOwnerOrAdmin(caller, row, operation);
    await this.setFlags(caller, row, { enabled }, operation, ifMatch);
    return 1;
  }

  /** Hides the system and takes away what others may do with it, the owner's files right and a static login's credential; may be repeated. */
  async delete(caller: Caller, id: string, ifMatch?: string): Promise<number> {
    const row = await this.any(caller, id, 'delete');
    await this.setFlags(caller, row, { deleted: true }, 'delete', ifMatch);
    await this.access.revokeFiles(row.tenant, row.owner, id);
    await this.access.forget(row);
    await this.shared.sharesChanged(row);
    await this.dropStaticCredential(row);
    return 1;
  }

  /** Of a live system: 0 (ruling 60). */
  async undelete(caller: Caller, id: string): Promise<number> {
    const row = await this.any(caller, id, 'undelete');
    if (!row.deleted) return 0;
    await this.setFlags(caller, row, { deleted: false }, 'undelete');
    await this.access.grantFiles(row.tenant, row.owner, id);
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

  private async dropStaticCredential({
    seqId,
    tenant,
    id,
    attributes,
    methods,
  }: SystemRow): Promise<void> {
    const user = attributes.effectiveUserId;
    if (isDynamic(user) || !methods?.length) return;
    await this.vault.destroy({ tenant, systemId: id, user, isStatic: true }, methods);
    await this.database.transaction((tx) =>
      this.credInfo.remove(tx, { seqId, user, isStatic: true }),
    );
  }

  private async any(caller: Caller, id: string, what: string): Promise<SystemRow> {
    const row = await this.systems.find(caller.tenant, caller.user, id);
    if (!row) throw this.access.missing(caller.tenant, id);
    await this.access.assertOwnerOrAdmin(caller, row, what);
    return row;
  }

  private async setFlags(
    caller: Caller,
    row: SystemRow,
    flags: { enabled?: boolean; deleted?: boolean },
    operation: string,
    ifMatch?: string,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const now = await this.systems.forUpdate(tx, row.tenant, caller.user, row.id);
      requireMatch(ifMatch, etagOfSystem(now ?? row), `system "${row.id}"`);
      await this.systems.setFlags(tx, row.seqId, flags);
      await this.history.add(tx, row.seqId, caller, operation, flags);
    });
  }
}

function changed(row: SystemRow, change: Change): SystemAttributes {
  const before = attributesOf(row);
  if ('patch' in change) return { ...before, ...defined(change.patch) };
  const { id, owner, systemType, enabled, bucketName, rootDir, canExec, effectiveUserId } = before;
  const fixed = { id, owner, systemType, enabled, bucketName, rootDir, canExec, effectiveUserId };
  const queues = change.replace.batchLogicalQueues;
  const usual =
    change.replace.batchDefaultLogicalQueue ?? (queues.length === 1 ? queues[0]!.name : undefined);
  return { ...change.replace, batchDefaultLogicalQueue: usual, ...fixed };
}

/** Absent means unchanged. */
function defined(patch: SystemPatch): Partial<SystemAttributes> {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  if (!entries.length) throw new BadInput('SYSLIB_UPD_NO_CHANGE', 'The patch changes nothing.');
  return Object.fromEntries(entries) as Partial<SystemAttributes>;
}
