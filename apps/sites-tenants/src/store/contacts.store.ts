import { Injectable } from '@nestjs/common';
import { Conflict } from '@libs/envelope';
import { Database, isDuplicate } from '@libs/database';
import type { Ldap, Owner } from '../domain/contacts';
import type { Stored } from './stored';

interface Records {
  owner: Owner;
  ldap: Ldap;
}
export type ContactKind = keyof Records;

const KEY = { owner: 'email', ldap: 'ldap_id' } as const;
const FOREIGN_KEY = '23503';

/** What tenants refer to: owners by e-mail address, LDAP records by id. */
@Injectable()
export class ContactsStore {
  constructor(private readonly database: Database) {}

  async all<K extends ContactKind>(kind: K): Promise<Stored<Records[K]>[]> {
    return this.database.query(`SELECT * FROM ${kind} ORDER BY ${KEY[kind]}`);
  }

  async find<K extends ContactKind>(kind: K, id: string): Promise<Stored<Records[K]> | undefined> {
    const sql = `SELECT * FROM ${kind} WHERE ${KEY[kind]} = $1`;
    return (await this.database.query<Stored<Records[K]>>(sql, [id]))[0];
  }

  async add<K extends ContactKind>(kind: K, record: Records[K], author: string): Promise<void> {
    const id = (record as unknown as Record<string, string>)[KEY[kind]]!;
    try {
      await this.database.query(
        `INSERT INTO ${kind} (${KEY[kind]}, record, created_by, updated_by) VALUES ($1, $2, $3, $3)`,
        [id, JSON.stringify(record), author],
      );
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new Conflict(
        `TENANTS_${kind.toUpperCase()}_DUPLICATE`,
        `There is an ${kind} "${id}" already.`,
      );
    }
  }

  /** Refused while a tenant refers to it; false when there is none. */
  async remove(kind: ContactKind, id: string): Promise<boolean> {
    try {
      const sql = `DELETE FROM ${kind} WHERE ${KEY[kind]} = $1 RETURNING 1`;
      return (await this.database.query(sql, [id])).length > 0;
    } catch (error) {
      if ((error as { code?: string }).code !== FOREIGN_KEY) throw error;
      throw new Conflict(
        `TENANTS_${kind.toUpperCase()}_IN_USE`,
        `The ${kind} "${id}" can't be deleted: a tenant refers to it.`,
      );
    }
  }
}
