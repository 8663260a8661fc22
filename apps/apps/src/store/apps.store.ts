import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import type { NewApp, VersionAttributes } from '../domain/app';
import { APP_COLUMNS, APP_JOIN, type AppRow } from './app-row';

export type FlagOfVersion = 'version_enabled' | 'locked';

/** Rows of apps and their versions. Every statement names the tenant. */
@Injectable()
export class AppsStore {
  constructor(private readonly database: Database) {}

  /** A version, by default the one created last; deleted ones too. */
  async find(tenant: string, id: string, version?: string): Promise<AppRow | undefined> {
    const rows = await this.database.prepared<AppRow>(
      `SELECT ${APP_COLUMNS} FROM ${APP_JOIN}
       WHERE a.tenant = $1 AND a.id = $2 AND v.version = coalesce($3, a.latest_version)`,
      [tenant, id, version ?? null],
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
    const added = await run(
      tx,
      `INSERT INTO apps_versions (app_seq_id, version, version_enabled, locked, tags, attributes)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING seq_id`,
      [
        found.appSeqId,
        version,
        versionEnabled,
        locked,
        attributes.tags,
        JSON.stringify(attributes),
      ],
    );
    if (!added.rows.length) return undefined;
    await run(tx, 'UPDATE apps SET latest_version = $2, updated = now() WHERE seq_id = $1', [
      found.appSeqId,
      version,
    ]);
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
      `SELECT ${APP_COLUMNS} FROM ${APP_JOIN} WHERE a.tenant = $1 AND a.id = $2 AND v.version = $3 FOR UPDATE OF v`,
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

  /** Changes flags or the owner of the app as a whole. */
  async updateApp(
    tx: EntityManager,
    appSeqId: string,
    change: { enabled?: boolean; deleted?: boolean; owner?: string },
  ): Promise<void> {
    await run(
      tx,
      `UPDATE apps SET enabled = coalesce($2, enabled), deleted = coalesce($3, deleted), owner = coalesce($4, owner),
         updated = clock_timestamp() WHERE seq_id = $1`,
      [appSeqId, change.enabled ?? null, change.deleted ?? null, change.owner ?? null],
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
