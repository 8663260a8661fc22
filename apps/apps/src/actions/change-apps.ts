import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database } from '@libs/database';
import { Forbidden } from '@libs/envelope';
import { requireMatch } from '@libs/service-kit';
import { AppAccess } from '../clients/app-access';
import { Systems } from '../clients/systems';
import { missing } from '../domain/missing';
import type { VersionAttributes } from '../domain/app';
import { merged, type VersionPatch } from '../domain/patch';
import { assertRules } from '../domain/rules';
import type { EntityManager } from 'typeorm';
import type { AppRow } from '../store/app-row';
import { AppsStore, type FlagOfVersion } from '../store/apps.store';
import { HistoryStore } from '../store/history.store';
import { etagOfApp } from './read-apps';

/** Changes of apps and versions; each is one transaction with its line of history. */
@Injectable()
export class ChangeApps {
  constructor(
    private readonly database: Database,
    private readonly apps: AppsStore,
    private readonly history: HistoryStore,
    private readonly access: AppAccess,
    private readonly systems: Systems,
  ) {}

  /** Merges the patch into the version, or with `replace` puts the body in its place. */
  async change(
    caller: Caller,
    id: string,
    version: string,
    change: { patch: VersionPatch } | { replace: VersionAttributes },
    ifMatch?: string,
  ): Promise<void> {
    const row = await this.live(caller, id, version);
    if (row.locked) throw locked(id, version);
    await this.access.assertMayModify(caller, row);
    const next = (now: VersionAttributes) =>
      'patch' in change ? merged(now, change.patch) : change.replace;
    const wanted = next(row.attributes);
    assertRules(wanted, `app "${id}" version "${version}"`);
    await this.systems.assertUsable(caller, wanted);
    await this.database.transaction(async (tx) => {
      const now = await this.apps.forUpdate(tx, caller.tenant, id, version);
      if (!now || now.deleted) throw missing(caller.tenant, id, version);
      if (now.locked) throw locked(id, version);
      requireMatch(ifMatch, etagOfApp(now), `version "${version}" of app "${id}"`);
      const attributes = next(now.attributes);
      assertRules(attributes, `app "${id}" version "${version}"`);
      await this.apps.replace(tx, now.seqId, attributes);
      await this.history.add(
        tx,
        now.appSeqId,
        caller,
        'modify',
        'patch' in change ? change.patch : change.replace,
        version,
      );
    });
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
      await this.requireMatch(tx, row, ifMatch);
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
    await this.updateApp(caller, row, { deleted }, operation, ifMatch);
    if (deleted) await this.access.forget(row);
    return 1;
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
    change: { enabled?: boolean; deleted?: boolean },
    operation: string,
    ifMatch?: string,
  ): Promise<number> {
    await this.access.assertOwnerOrAdmin(caller, row, operation);
    await this.database.transaction(async (tx) => {
      await this.requireMatch(tx, row, ifMatch);
      await this.apps.updateApp(tx, row.appSeqId, change);
      await this.history.add(tx, row.appSeqId, caller, operation, change);
    });
    return 1;
  }

  /** Of the version that was read, for an app the latest: its row is held until the change is done. */
  private async requireMatch(tx: EntityManager, row: AppRow, ifMatch?: string): Promise<void> {
    if (!ifMatch) return;
    const { tenant, id, version } = row;
    const now = await this.apps.forUpdate(tx, tenant, id, version);
    requireMatch(ifMatch, etagOfApp(now ?? row), `version "${version}" of app "${id}"`);
  }

  private async live(caller: Caller, id: string, version?: string): Promise<AppRow> {
    const row = await this.apps.find(caller.tenant, id, version);
    if (!row || row.deleted) throw missing(caller.tenant, id, version);
    return row;
  }
}

const locked = (id: string, version: string) =>
  new Forbidden(
    'APPLIB_UNAUTH_LOCKED',
    `Version "${version}" of app "${id}" is locked and can't be changed.`,
  );
