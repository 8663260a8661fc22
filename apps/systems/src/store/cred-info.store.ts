import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import type { AuthnMethod } from '../domain/credential';

/** Whose credential; `isStatic`: the name is a host login, not a platform user. */
export interface CredName {
  user: string;
  isStatic: boolean;
}

export interface CredOwner extends CredName {
  seqId: string;
}

export interface CredInfo {
  loginUser: string | null;
  methods: AuthnMethod[];
  /** The host and port that it was given for. */
  address: string;
}

export interface NewCredInfo {
  methods: AuthnMethod[];
  address: string;
  /** Undefined: as it was. */
  loginUser?: string | null | undefined;
}

/** Which credentials are registered, and how platform users map to host logins. Never a secret. */
@Injectable()
export class CredInfoStore {
  constructor(private readonly database: Database) {}

  async find(
    { seqId, user, isStatic }: CredOwner,
    tx?: EntityManager,
  ): Promise<CredInfo | undefined> {
    const sql = `SELECT login_user AS "loginUser", methods, address FROM systems_cred_info
       WHERE system_seq_id = $1 AND svc_user = $2 AND is_static = $3`;
    const params = [seqId, user, isStatic];
    const rows = tx
      ? (await run<CredInfo>(tx, sql, params)).rows
      : await this.database.query<CredInfo>(sql, params);
    return rows[0];
  }

  /**
   * Adds methods to those that are there for the same address, and takes the place of those for another one; the
   * mapping is replaced when one is given (ruling 12).
   */
  async add(
    tx: EntityManager,
    { seqId, user, isStatic }: CredOwner,
    { methods, address, loginUser }: NewCredInfo,
  ): Promise<void> {
    await run(
      tx,
      `INSERT INTO systems_cred_info AS i (system_seq_id, svc_user, is_static, login_user, methods, address)
       VALUES ($1, $2, $3, $4, $5, $7)
       ON CONFLICT (system_seq_id, svc_user, is_static) DO UPDATE SET updated = now(),
         login_user = CASE WHEN $6 THEN excluded.login_user ELSE i.login_user END,
         address = CASE WHEN cardinality(excluded.methods) = 0 THEN i.address ELSE excluded.address END,
         methods = CASE
           WHEN i.address = excluded.address OR cardinality(excluded.methods) = 0
             THEN ARRAY(SELECT DISTINCT unnest(i.methods || excluded.methods))
           ELSE excluded.methods END`,
      [seqId, user, isStatic, loginUser ?? null, methods, loginUser !== undefined, address],
    );
  }

  /** It was tried at this address, by somebody who may decide that. */
  async confirm(
    tx: EntityManager,
    { seqId, user, isStatic }: CredOwner,
    address: string,
  ): Promise<void> {
    await run(
      tx,
      `UPDATE systems_cred_info SET address = $4, updated = now()
       WHERE system_seq_id = $1 AND svc_user = $2 AND is_static = $3`,
      [seqId, user, isStatic, address],
    );
  }

  /** All credentials of the system and its children that were good where it was are meant for where it is. */
  async follow(
    tx: EntityManager,
    system: { seqId: string; tenant: string; id: string },
    from: string,
    to: string,
  ): Promise<void> {
    await run(
      tx,
      `UPDATE systems_cred_info SET address = $5 WHERE address = $4 AND system_seq_id IN (
         SELECT seq_id FROM systems
         WHERE seq_id = $1 OR (tenant = $2 AND parent_id = $3 AND NOT deleted))`,
      [system.seqId, system.tenant, system.id, from, to],
    );
  }

  async remove(tx: EntityManager, { seqId, user, isStatic }: CredOwner): Promise<void> {
    await run(
      tx,
      'DELETE FROM systems_cred_info WHERE system_seq_id = $1 AND svc_user = $2 AND is_static = $3',
      [seqId, user, isStatic],
    );
  }
}
