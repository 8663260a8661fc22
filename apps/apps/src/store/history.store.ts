import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';

export interface HistoryEntry {
  appVersion: string | null;
  operation: string;
  jwtTenant: string;
  jwtUser: string;
  oboTenant: string;
  oboUser: string;
  description: object;
  created: Date;
}

/** Who changed what of an app, written with the change. */
@Injectable()
export class HistoryStore {
  constructor(private readonly database: Database) {}

  async add(
    tx: EntityManager,
    appSeqId: string,
    caller: Caller,
    operation: string,
    description: object,
    version?: string,
  ): Promise<void> {
    await run(
      tx,
      `INSERT INTO apps_updates (app_seq_id, app_version, operation, jwt_tenant, jwt_user, obo_tenant, obo_user, description)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        appSeqId,
        version ?? null,
        operation,
        caller.jwtTenant,
        caller.jwtUser,
        caller.tenant,
        caller.user,
        JSON.stringify(description),
      ],
    );
  }

  async list(appSeqId: string): Promise<HistoryEntry[]> {
    return this.database.query<HistoryEntry>(
      `SELECT app_version AS "appVersion", operation, jwt_tenant AS "jwtTenant", jwt_user AS "jwtUser",
         obo_tenant AS "oboTenant", obo_user AS "oboUser", description, created
       FROM apps_updates WHERE app_seq_id = $1 ORDER BY seq_id`,
      [appSeqId],
    );
  }
}
