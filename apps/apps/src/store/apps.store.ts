import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import type { NewApp, VersionAttributes } from '../domain/app';
import { APP_COLUMNS, type AppRow } from './app-row';

export type FlagOfVersion = 'version_enabled' | 'locked';

export interface ChangeOfApp {
  enabled?: boolean;
  deleted?: boolean;
  owner?: string;
  sharing?: { isPublic: boolean; sharedWithUsers: string[] };
}

/** Rows of apps and their versions. Every statement names the tenant. */
@Injectable()
export class AppsStore {
  constructor(private readonly database: Database) {}

  /** A version, by default the one created last; deleted ones too. */
  async find(tenant: string, id: string, version?: string): Promise<AppRow | undefined> {
    const rows = await this.database.prepared<AppRow>(
      `SELECT ${APP_COLUMNS} FROM apps_versions v
       WHERE v.tenant = $1 AND v.id = $2 AND ${version === undefined ? 'v.latest' : 'v.version = $3'}`,
      version === undefined ? [tenant, id] : [tenant, id, version],
    );
    return rows[0];
  }

  /**
   * Adds a version, and with the first one the app. Answers undefined when the version is there already; `owner` is
   * that of the app, which may not be the one given.
   */
  async add(
    tx: EntityManager,
    tenant: string,
    app: NewApp & { owner: string },
  ): Promise<{ appSeqId: string; owner: string; deleted: boolean } | undefined> {
    const { id, version, owner, enabled, versionEnabled, locked, ...attributes } = app;
    const { rows } = await run<{ appSeqId: string; owner: string; deleted: boolean }>(
      tx,
      `INSERT INTO apps (tenant, id, latest_version, owner, enabled) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant, id) DO UPDATE SET id = excluded.id
       RETURNING seq_id AS "appSeqId", owner, deleted`,
      [tenant, id, version, owner, enabled],
    );
    const found = rows[0]!;
    // The statement above holds the app's row, so this is done for one version after the other.
    const { rows: added } = await run<{ seqId: string }>(
      tx,
      `INSERT INTO apps_versions (app_seq_id, tenant, id, owner, enabled, deleted, is_public, shared_with,
         version, version_enabled, locked, tags, attributes)
       SELECT a.seq_id, a.tenant, a.id, a.owner, a.enabled, a.deleted, coalesce(o.is_public, false),
         coalesce(o.shared_with, '{}'), $2, $3, $4, $5, $6
       FROM apps a LEFT JOIN apps_versions o ON o.app_seq_id = a.seq_id AND o.latest WHERE a.seq_id = $1
       ON CONFLICT DO NOTHING RETURNING seq_id AS "seqId"`,
      [
        found.appSeqId,
        version,
        versionEnabled,
        locked,
        attributes.tags,
        JSON.stringify(attributes),
      ],
    );
    if (!added[0]) return undefined;
    const { appSeqId } = found;
    await run(
      tx,
      'UPDATE apps_versions SET latest = false WHERE app_seq_id = $1 AND latest AND seq_id <> $2',
      [appSeqId, added[0].seqId],
    );
    await run(
      tx,
      'UPDATE apps SET latest_version = $2, updated = clock_timestamp() WHERE seq_id = $1',
      [appSeqId, version],
    );
    return found;
  }

  /** Locks the version's row for a change; what was read before may be older. */
  async forUpdate(
    tx: EntityManager,
    tenant: string,
    id: string,
    version: string,
  ): Promise<AppRow | undefined> {
    const { rows } = await run<AppRow>(
      tx,
      `SELECT ${APP_COLUMNS} FROM apps_versions v WHERE v.tenant = $1 AND v.id = $2 AND v.version = $3 FOR UPDATE`,
      [tenant, id, version],
    );
    return rows[0];
  }

  async replace(tx: EntityManager, seqId: string, attributes: VersionAttributes): Promise<void> {
    await run(
      tx,
      'UPDATE apps_versions SET attributes = $2, tags = $3, updated = clock_timestamp() WHERE seq_id = $1',
      [seqId, JSON.stringify(attributes), attributes.tags],
    );
  }

  /** Holds the app against other changes of it. Every change does so first: in one order nobody waits in a circle. */
  async lockApp(tx: EntityManager, appSeqId: string): Promise<void> {
    await run(tx, 'SELECT FROM apps WHERE seq_id = $1 FOR UPDATE', [appSeqId]);
  }

  /** Changes what all versions have in common. */
  async updateApp(
    tx: EntityManager,
    appSeqId: string,
    { enabled, deleted, owner, sharing }: ChangeOfApp,
  ): Promise<void> {
    const flags = [enabled ?? null, deleted ?? null, owner ?? null];
    await run(
      tx,
      `UPDATE apps SET enabled = coalesce($2, enabled), deleted = coalesce($3, deleted), owner = coalesce($4, owner),
         updated = clock_timestamp() WHERE seq_id = $1`,
      [appSeqId, ...flags],
    );
    await run(
      tx,
      `UPDATE apps_versions SET enabled = coalesce($2, enabled), deleted = coalesce($3, deleted),
         owner = coalesce($4, owner), is_public = coalesce($5, is_public), shared_with = coalesce($6, shared_with),
         updated = clock_timestamp() WHERE app_seq_id = $1`,
      [appSeqId, ...flags, sharing?.isPublic ?? null, sharing?.sharedWithUsers ?? null],
    );
  }

  async setFlag(
    tx: EntityManager,
    seqId: string,
    flag: FlagOfVersion,
    value: boolean,
  ): Promise<void> {
    await run(
      tx,
      `UPDATE apps_versions SET ${flag} = $2, updated = clock_timestamp() WHERE seq_id = $1`,
      [seqId, value],
    );
  }
}
