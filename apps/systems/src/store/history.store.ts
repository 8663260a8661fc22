import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';

export interface HistoryEntry {
  operation: string;
  jwtTenant: string;
  jwtUser: string;
  oboTenant: string;
  oboUser: string;
  description: object;
  created: Date;
}

/** Who changed what of a system, written with the change; descriptions never hold a secret. */
@Injectable()
export class HistoryStore {
  constructor(private readonly database: Database) {}

  async add(
    tx: EntityManager,
    seqId: string,
    caller: Caller,
    operation: string,
    description: object,
  ): Promise<void> {
    await run(
      tx,
      `INSERT INTO system_updates (system_seq_id, operation, jwt_tenant, jwt_user, obo_tenant, obo_user, description)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        seqId,
        operation,
        caller.jwtTenant,
        caller.jwtUser,
        caller.tenant,
        caller.user,
        JSON.stringify(description),
      ],
    );
  }

  /** Oldest first. */
  async list(seqId: string): Promise<HistoryEntry[]> {
    return this.database.query<HistoryEntry>(
      `SELECT operation, jwt_tenant AS "jwtTenant", jwt_user AS "jwtUser", obo_tenant AS "oboTenant",
         obo_user AS "oboUser", description, created
       FROM system_updates WHERE system_seq_id = $1 ORDER BY seq_id`,
      [seqId],
    );
  }
}
