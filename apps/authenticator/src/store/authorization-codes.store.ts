import { Injectable } from '@nestjs/common';
import { Database } from '@libs/database';

export interface NewCodeRow {
  code_hash: string;
  tenant: string;
  client_id: string;
  username: string;
  idp_id: string | null;
  redirect_uri: string;
  code_challenge: string | null;
  nonce: string | null;
  scope: string | null;
  seconds: number;
}

export interface CodeRow extends Omit<NewCodeRow, 'seconds'> {
  expired: boolean;
  used: Date | null;
}

/** What a code gave: the id under which the tokens service can end it. */
export interface Given {
  jti: string;
  exp: number;
}

/** Authorization codes by their hashes. Used ones stay for a day, so that a second use is known for what it is. */
@Injectable()
export class AuthorizationCodesStore {
  constructor(private readonly database: Database) {}

  async add(row: NewCodeRow): Promise<void> {
    await this.database.query(
      `INSERT INTO authorization_code (code_hash, tenant, client_id, username, idp_id, redirect_uri,
         code_challenge, nonce, scope, expires)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 second')`,
      [
        row.code_hash,
        row.tenant,
        row.client_id,
        row.username,
        row.idp_id,
        row.redirect_uri,
        row.code_challenge,
        row.nonce,
        row.scope,
        row.seconds,
      ],
    );
  }

  async find(tenant: string, hash: string): Promise<CodeRow | undefined> {
    const sql = `SELECT code_hash, tenant, client_id, username, idp_id, redirect_uri, code_challenge, nonce, scope,
        used, expires < now() AS expired
      FROM authorization_code WHERE tenant = $1 AND code_hash = $2`;
    return (await this.database.query<CodeRow>(sql, [tenant, hash]))[0];
  }

  /** One caller gets it, whoever else asks at the same time. */
  async take(hash: string): Promise<boolean> {
    const sql =
      'UPDATE authorization_code SET used = now() WHERE code_hash = $1 AND used IS NULL RETURNING 1';
    return (await this.database.query(sql, [hash])).length > 0;
  }

  /** No token could be made: the code may be tried again. */
  async giveBack(hash: string): Promise<void> {
    await this.database.query(
      'UPDATE authorization_code SET used = NULL WHERE code_hash = $1 AND gave_jti IS NULL',
      [hash],
    );
  }

  /** Remembers what the code gave; true if it was used a second time meanwhile. */
  async gave(hash: string, { jti, exp }: Given): Promise<boolean> {
    const [row] = await this.database.query<{ reused: boolean }>(
      'UPDATE authorization_code SET gave_jti = $2, gave_exp = $3 WHERE code_hash = $1 RETURNING reused',
      [hash, jti, exp],
    );
    return row?.reused ?? true;
  }

  /** The code came a second time; answers what it gave, when that is known already. */
  async usedAgain(hash: string): Promise<Given | undefined> {
    const [row] = await this.database.query<{ jti: string | null; exp: string }>(
      `UPDATE authorization_code SET reused = true WHERE code_hash = $1
       RETURNING gave_jti AS jti, gave_exp AS exp`,
      [hash],
    );
    return row?.jti ? { jti: row.jti, exp: Number(row.exp) } : undefined;
  }

  async forgetOld(): Promise<void> {
    await this.database.query(
      "DELETE FROM authorization_code WHERE expires < now() - interval '1 day'",
    );
  }
}
