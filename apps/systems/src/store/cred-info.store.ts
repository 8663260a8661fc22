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
}

/** Which credentials are registered, and how platform users map to host logins. Never a secret. */
@Injectable()
export class CredInfoStore {
  constructor(private readonly database: Database) {}

  async find(
    { seqId, user, isStatic }: CredOwner,
    tx?: EntityManager,
  ): Promise<CredInfo | undefined> {
    const sql = `SELECT login_user AS "loginUser", methods FROM systems_cred_info
       WHERE system_seq_id = $1 AND svc_user = $2 AND is_static = $3`;
    const params = [seqId, user, isStatic];
    const rows = tx
      ? (await run<CredInfo>(tx, sql, params)).rows
      : await this.database.query<CredInfo>(sql, params);
    return rows[0];
  }

  /** Adds methods to those that are there; the mapping is replaced when one is given (ruling 12). */
  async add(
    tx: EntityManager,
    { seqId, user, isStatic }: CredOwner,
    methods: AuthnMethod[],
    loginUser: string | null | undefined,
  ): Promise<void> {
    await run(
      tx,
      `INSERT INTO systems_cred_info AS i (system_seq_id, svc_user, is_static, login_user, methods) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (system_seq_id, svc_user, is_static) DO UPDATE SET updated = now(),
         login_user = CASE WHEN $6 THEN excluded.login_user ELSE i.login_user END,
         methods = ARRAY(SELECT DISTINCT unnest(i.methods || excluded.methods))`,
      [seqId, user, isStatic, loginUser ?? null, methods, loginUser !== undefined],
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
