import { Injectable } from '@nestjs/common';
import { run } from '@libs/database';
import { BadInput } from '@libs/envelope';
import type { EntityManager } from 'typeorm';

export interface ChildSystem {
  seqId: string;
  id: string;
  rootDir: string;
}

/** Rows whose parent is another row: they hold copies of what they inherit. */
@Injectable()
export class ChildSystemsStore {
  /** Children that are not deleted. */
  async of(tx: EntityManager, tenant: string, parentId: string): Promise<ChildSystem[]> {
    const { rows } = await run<ChildSystem>(
      tx,
      `SELECT seq_id AS "seqId", id, attributes->>'rootDir' AS "rootDir" FROM systems
       WHERE tenant = $1 AND parent_id = $2 AND NOT deleted ORDER BY id`,
      [tenant, parentId],
    );
    return rows;
  }

  /** Gives the children that are not deleted what the parent holds now; their own attributes stay. */
  inherit(tx: EntityManager, { seqId }: { seqId: string }): Promise<void> {
    return this.pass(tx, seqId, null);
  }

  /** A new child: the parent stays as it is until this is committed, and must still take it. */
  async join(
    tx: EntityManager,
    seqId: string,
    parent: { seqId: string; id: string },
  ): Promise<void> {
    const { rows } = await run(
      tx,
      `SELECT 1 FROM systems WHERE seq_id = $1 AND NOT deleted AND attributes->'allowChildren' = 'true' FOR SHARE`,
      [parent.seqId],
    );
    if (!rows.length)
      throw new BadInput(
        'SYSLIB_CHILD_NOT_PERMITTED',
        `System "${parent.id}" does not allow children.`,
      );
    await this.pass(tx, parent.seqId, seqId);
  }

  private async pass(tx: EntityManager, parent: string, child: string | null): Promise<void> {
    await run(
      tx,
      `UPDATE systems c SET host = p.host, tags = p.tags, host_keys = p.host_keys, updated = clock_timestamp(),
         attributes = p.attributes || jsonb_build_object('effectiveUserId', c.attributes->'effectiveUserId',
           'rootDir', c.attributes->'rootDir', 'allowChildren', false)
       FROM systems p WHERE p.seq_id = $1 AND c.tenant = p.tenant AND c.parent_id = p.id AND NOT c.deleted
         AND ($2::bigint IS NULL OR c.seq_id = $2)`,
      [parent, child],
    );
  }

  /** What they inherited stays theirs. */
  async unlink(tx: EntityManager, seqIds: string[]): Promise<number> {
    const { count } = await run(
      tx,
      'UPDATE systems SET parent_id = NULL, updated = clock_timestamp() WHERE seq_id = ANY($1) AND parent_id IS NOT NULL',
      [seqIds],
    );
    return count;
  }
}
