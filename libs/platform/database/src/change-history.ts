import type { EntityManager } from 'typeorm';
import type { Database } from './database';
import { run } from './rows';

/** Who changes something: the subject of the token, and on whose behalf. A `Caller` fits. */
export interface ChangeAuthor {
  tenant: string;
  user: string;
  jwtTenant: string;
  jwtUser: string;
}

export interface ChangeEntry {
  version: string | null;
  operation: string;
  jwtTenant: string;
  jwtUser: string;
  oboTenant: string;
  oboUser: string;
  description: object;
  created: Date;
}

/** The statements that make the history table of a resource's table; for its migration. */
export function changeHistoryTable(table: string, resources: string): string[] {
  return [
    `CREATE TABLE ${table} (
       seq_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       resource_seq bigint NOT NULL REFERENCES ${resources} ON DELETE CASCADE,
       version      text,
       operation    text NOT NULL,
       jwt_tenant   text NOT NULL,
       jwt_user     text NOT NULL,
       obo_tenant   text NOT NULL,
       obo_user     text NOT NULL,
       description  jsonb NOT NULL,
       created      timestamptz NOT NULL DEFAULT now()
     )`,
    `CREATE INDEX ${table}_resource ON ${table} (resource_seq)`,
  ];
}

/** Who changed what of a resource and when, written in the transaction of the change. */
export class ChangeHistory {
  constructor(
    private readonly database: Database,
    private readonly table: string,
  ) {}

  /** `description` is what was asked for, never with a secret; no `version` means all of the resource. */
  async add(
    tx: EntityManager,
    seqId: string,
    { jwtTenant, jwtUser, tenant, user }: ChangeAuthor,
    operation: string,
    description: object,
    version: string | null = null,
  ): Promise<void> {
    await run(
      tx,
      `INSERT INTO ${this.table}
         (resource_seq, version, operation, jwt_tenant, jwt_user, obo_tenant, obo_user, description)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [seqId, version, operation, jwtTenant, jwtUser, tenant, user, JSON.stringify(description)],
    );
  }

  /** Oldest first. */
  async list(seqId: string): Promise<ChangeEntry[]> {
    return this.database.query<ChangeEntry>(
      `SELECT version, operation, jwt_tenant AS "jwtTenant", jwt_user AS "jwtUser", obo_tenant AS "oboTenant",
         obo_user AS "oboUser", description, created
       FROM ${this.table} WHERE resource_seq = $1 ORDER BY seq_id`,
      [seqId],
    );
  }
}
