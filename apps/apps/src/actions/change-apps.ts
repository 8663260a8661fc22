import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { Forbidden } from '@libs/envelope';
import { requireMatch } from '@libs/service-kit';
import { UserDirectory } from '@libs/security-client';
import type { EntityManager } from 'typeorm';
import { AppAccess } from '../clients/app-access';
import { Systems } from '../clients/systems';
import { missing } from '../domain/missing';
import { NOT_REPLACED, VersionAttributes } from '../domain/app';
import { completed } from '../domain/completed';
import { merged, VersionPatch } from '../domain/patch';
import { afterBody, readBody, type IsClear } from '../domain/read-body';
import { assertRules } from '../domain/rules';
import type { AppRow } from '../store/app-row';
import { AppsStore, type ChangeOfApp, type FlagOfVersion } from '../store/apps.store';
import { HistoryStore } from '../store/history.store';
import { etagOfApp } from './shown';

/** A body, what is wrong with it, and what becomes of a version by it. */
interface Change {
  value: object;
  violations: readonly string[];
  isClear: IsClear;
  next(now: VersionAttributes): VersionAttributes;
}

/** Changes of apps and versions; each is one transaction with its line of history. */
@Injectable()
export class ChangeApps {
  constructor(
    private readonly database: Database,
    private readonly apps: AppsStore,
    private readonly history: HistoryStore,
    private readonly access: AppAccess,
    private readonly systems: Systems,
    private readonly users: UserDirectory,
  ) {}

  /** Merges the patch into the version: what it says replaces what was, lists whole. */
  patch(caller: Caller, id: string, version: string, body: unknown, ifMatch?: string) {
    return this.change(caller, id, version, ifMatch, () => {
      const read = readBody(VersionPatch, body);
      return { ...read, next: (now) => merged(now, read.value) };
    });
  }

  /** Puts the body in the place of what the version says of itself. */
  replace(caller: Caller, id: string, version: string, body: unknown, ifMatch?: string) {
    return this.change(caller, id, version, ifMatch, () => {
      const read = readBody(VersionAttributes, body, NOT_REPLACED);
      return {
        ...read,
        next: () => (read.value.jobAttributes ? completed(read.value) : read.value),
      };
    });
  }

  private async change(
    caller: Caller,
    id: string,
    version: string,
    ifMatch: string | undefined,
    readChange: () => Change,
  ): Promise<void> {
    const { value, next, ...found } = readChange();
    const row = await afterBody(found.violations, () => this.changeable(caller, id, version));
    const what = `version "${version}" of app "${id}"`;
    await this.systems.assertSound(caller, next(row.attributes), what, found);
    await this.database.transaction(async (tx) => {
      const now = await this.held(tx, row, ifMatch);
      if (now.deleted) throw missing(caller.tenant, id, version);
      if (now.locked) throw lockedVersion(id, version);
      const attributes = next(now.attributes);
      assertRules(attributes, what);
      await this.apps.replace(tx, now.seqId, attributes);
      await this.history.add(tx, now.appSeqId, caller, 'modify', value, version);
    });
  }

  private async changeable(caller: Caller, id: string, version: string): Promise<AppRow> {
    const row = await this.live(caller, id, version);
    if (row.locked) throw await this.locked(caller, row);
    await this.access.assertMayModify(caller, row);
    return row;
  }

  /** Flags of one version: `locked`, `version_enabled`. */
  async setVersionFlag(
    caller: Caller,
    id: string,
    version: string,
    flag: FlagOfVersion,
    value: boolean,
    operation: string,
    ifMatch?: string,
  ): Promise<number> {
    const row = await this.live(caller, id, version);
    await this.access.assertOwnerOrAdmin(caller, row, operation);
    await this.database.transaction(async (tx) => {
      await this.held(tx, row, ifMatch);
      await this.apps.setFlag(tx, row.seqId, flag, value);
      await this.history.add(
        tx,
        row.appSeqId,
        caller,
        operation,
        { [flag === 'locked' ? 'locked' : 'versionEnabled']: value },
        version,
      );
    });
    return 1;
  }

  async setEnabled(
    caller: Caller,
    id: string,
    enabled: boolean,
    ifMatch?: string,
  ): Promise<number> {
    const operation = enabled ? 'enable' : 'disable';
    return this.updateApp(caller, await this.live(caller, id), { enabled }, operation, ifMatch);
  }

  /** All versions at once; a repeated delete answers 1, an undelete of a live app 0 (ruling 60). */
  async setDeleted(
    caller: Caller,
    id: string,
    deleted: boolean,
    ifMatch?: string,
  ): Promise<number> {
    const row = await this.apps.find(caller.tenant, id);
    if (!row) throw missing(caller.tenant, id);
    const operation = deleted ? 'delete' : 'undelete';
    await this.access.assertOwnerOrAdmin(caller, row, operation);
    if (!deleted && !row.deleted) return 0;
    // Its shares go with it; what a deletion that was cut off left of them does not come back.
    const sharing = { isPublic: false, sharedWithUsers: [] };
    if (!deleted) await this.access.forget(row);
    await this.updateApp(caller, row, { deleted, sharing }, operation, ifMatch);
    if (deleted) await this.access.forget(row);
    return 1;
  }

  /** All versions at once; grants and shares stay. Answers 0 when the owner is that one already. */
  async changeOwner(caller: Caller, id: string, owner: string, ifMatch?: string): Promise<number> {
    const row = await this.live(caller, id);
    await this.access.assertOwnerOrAdmin(caller, row, 'change the owner of');
    if (owner === row.owner) return 0;
    await this.users.assertKnown(caller, owner, 'APPLIB_UNKNOWN_USER');
    return this.database.transaction(async (tx) => {
      const now = await this.held(tx, row, ifMatch);
      if (now.deleted) throw missing(caller.tenant, id);
      // The one who asked may have handed it over meanwhile.
      await this.access.assertOwnerOrAdmin(caller, now, 'change the owner of');
      if (now.owner === owner) return 0;
      await this.apps.updateApp(tx, row.appSeqId, { owner });
      const description = { App: id, owner: { oldValue: now.owner, newValue: owner } };
      await this.history.add(tx, row.appSeqId, caller, 'changeOwner', description);
      return 1;
    });
  }

  async historyOf(caller: Caller, id: string) {
    const row = await this.apps.find(caller.tenant, id);
    if (!row) throw missing(caller.tenant, id);
    await this.access.assertMayRead(caller, row);
    const entries = await this.history.list(row.appSeqId);
    return entries.map(({ version, ...entry }) => ({ appVersion: version, ...entry }));
  }

  private async updateApp(
    caller: Caller,
    row: AppRow,
    { sharing, ...change }: ChangeOfApp,
    operation: string,
    ifMatch?: string,
  ): Promise<number> {
    await this.access.assertOwnerOrAdmin(caller, row, operation);
    await this.database.transaction(async (tx) => {
      await this.held(tx, row, ifMatch);
      await this.apps.updateApp(tx, row.appSeqId, { ...change, sharing });
      await this.history.add(tx, row.appSeqId, caller, operation, change);
    });
    return 1;
  }

  /** The app and the version that was read, by default the latest, held until the change is done. */
  private async held(tx: EntityManager, row: AppRow, ifMatch?: string): Promise<AppRow> {
    const { tenant, id, version } = row;
    await this.apps.lockApp(tx, row.appSeqId);
    const now = (await this.apps.forUpdate(tx, tenant, id, version)) ?? row;
    requireMatch(ifMatch, etagOfApp(now), `version "${version}" of app "${id}"`);
    return now;
  }

  /** Told to whoever may see the version, whatever else they may do. */
  private async locked(caller: Caller, row: AppRow): Promise<Forbidden> {
    await this.access.assertMayRead(caller, row);
    return lockedVersion(row.id, row.version);
  }

  private async live(caller: Caller, id: string, version?: string): Promise<AppRow> {
    const row = await this.apps.find(caller.tenant, id, version);
    if (!row || row.deleted) throw missing(caller.tenant, id, version);
    return row;
  }
}

const lockedVersion = (id: string, version: string) =>
  new Forbidden(
    'APPLIB_UNAUTH_LOCKED',
    `Version "${version}" of app "${id}" is locked and can't be changed.`,
  );
