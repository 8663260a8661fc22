import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import type { SystemAttributes } from '../domain/system';
import { SYSTEM_COLUMNS, SYSTEM_JOIN, type SystemDocument, type SystemRow } from './system-row';

/** Rows of systems. Every statement names the tenant. */
@Injectable()
export class SystemsStore {
  constructor(private readonly database: Database) {}

  /** Deleted ones too. One indexed query: reading a system is what services do most. */
  async find(tenant: string, user: string, id: string): Promise<SystemRow | undefined> {
    const rows = await this.database.prepared<SystemRow>(
      `SELECT ${SYSTEM_COLUMNS} FROM ${SYSTEM_JOIN} WHERE s.tenant = $1 AND s.id = $3`,
      [tenant, user, id],
    );
    return rows[0];
  }

  /** The row, locked until the transaction ends. */
  async forUpdate(
    tx: EntityManager,
    tenant: string,
    user: string,
    id: string,
  ): Promise<SystemRow | undefined> {
    const { rows } = await run<SystemRow>(
      tx,
      `SELECT ${SYSTEM_COLUMNS} FROM ${SYSTEM_JOIN} WHERE s.tenant = $1 AND s.id = $3 FOR UPDATE OF s`,
      [tenant, user, id],
    );
    return rows[0];
  }

  /** Answers the key of the new row, or undefined when the id is taken. */
  async insert(
    tx: EntityManager,
    tenant: string,
    system: SystemAttributes & { owner: string },
    hostKeys: string[],
    parentId?: string,
  ): Promise<string | undefined> {
    const { id, owner, systemType, host, enabled, tags, document } = split(system);
    const { rows } = await run<{ seqId: string }>(
      tx,
      `INSERT INTO systems (tenant, id, owner, system_type, host, enabled, tags, attributes, host_keys, parent_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (tenant, id) DO NOTHING RETURNING seq_id AS "seqId"`,
      [
        tenant,
        id,
        owner,
        systemType,
        host,
        enabled,
        tags,
        JSON.stringify(document),
        hostKeys,
        parentId ?? null,
      ],
    );
    return rows[0]?.seqId;
  }

  /** A host or port that changes is another host: its pinned keys go. */
  async replace(tx: EntityManager, row: SystemRow, next: SystemAttributes): Promise<void> {
    const { host, tags, document } = split(next);
    const moved = host !== row.host || document.port !== row.attributes.port;
    await run(
      tx,
      `UPDATE systems SET host = $2, tags = $3, attributes = $4, host_keys = CASE WHEN $5 THEN '{}' ELSE host_keys END,
         updated = clock_timestamp() WHERE seq_id = $1`,
      [row.seqId, host, tags, JSON.stringify(document), moved],
    );
  }

  /** A deleted system is shared with nobody, nor is one that comes back. */
  async setFlags(
    tx: EntityManager,
    seqId: string,
    flags: { enabled?: boolean; deleted?: boolean },
  ): Promise<void> {
    await run(
      tx,
      `UPDATE systems SET enabled = coalesce($2, enabled), deleted = coalesce($3, deleted), updated = clock_timestamp(),
         is_public = is_public AND $3::boolean IS NULL,
         shared_with = CASE WHEN $3::boolean IS NULL THEN shared_with ELSE '{}' END
       WHERE seq_id = $1`,
      [seqId, flags.enabled ?? null, flags.deleted ?? null],
    );
  }

  async setOwner(tx: EntityManager, seqId: string, owner: string): Promise<void> {
    const sql = 'UPDATE systems SET owner = $2, updated = clock_timestamp() WHERE seq_id = $1';
    await run(tx, sql, [seqId, owner]);
  }

  /** Whether there is such a system, not deleted; if so, it is not deleted before the transaction ends. */
  async held(tx: EntityManager, tenant: string, id: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM systems WHERE tenant = $1 AND id = $2 AND NOT deleted FOR KEY SHARE';
    return (await run(tx, sql, [tenant, id])).rows.length > 0;
  }

  /** Systems of this owner, not deleted, whose data transfer node this is. */
  async usingDtn(tx: EntityManager, tenant: string, id: string, owner: string): Promise<string[]> {
    const { rows } = await run<{ id: string }>(
      tx,
      `SELECT id FROM systems WHERE tenant = $1 AND attributes->>'dtnSystemId' = $2 AND owner = $3 AND NOT deleted
       ORDER BY id LIMIT 10`,
      [tenant, id, owner],
    );
    return rows.map((row) => row.id);
  }

  /** Pins the key of a host that has none pinned; whoever is first wins. Answers what is pinned now. */
  async pin(seqId: string, fingerprint: string): Promise<string[]> {
    const [row] = await this.database.query<{ hostKeys: string[] }>(
      `UPDATE systems SET host_keys = CASE WHEN cardinality(host_keys) = 0 THEN ARRAY[$2::text] ELSE host_keys END
       WHERE seq_id = $1 RETURNING host_keys AS "hostKeys"`,
      [seqId, fingerprint],
    );
    return row?.hostKeys ?? [];
  }

  /** Children are on the same host. */
  async unpin(tx: EntityManager, { seqId, tenant, id }: SystemRow): Promise<void> {
    await run(
      tx,
      `UPDATE systems SET host_keys = '{}' WHERE seq_id = $1 OR (tenant = $2 AND parent_id = $3)`,
      [seqId, tenant, id],
    );
  }

  /** Keeps the copy of who the system is shared with. */
  async setSharing(
    tx: EntityManager,
    seqId: string,
    sharing: { isPublic: boolean; sharedWithUsers: string[] },
  ): Promise<void> {
    await run(tx, 'UPDATE systems SET is_public = $2, shared_with = $3 WHERE seq_id = $1', [
      seqId,
      sharing.isPublic,
      sharing.sharedWithUsers,
    ]);
  }
}

/** What has a column, and the rest as one document. */
function split(system: SystemAttributes) {
  const { id, owner, systemType, host, enabled, tags, ...document } = system;
  return { id, owner, systemType, host, enabled, tags, document: document as SystemDocument };
}
