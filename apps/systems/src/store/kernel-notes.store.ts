import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import type { AuthnMethod } from '../domain/credential';
import type { CredName } from './cred-info.store';

/** What the security kernel may hold for a system although the tables say otherwise, until that was looked into. */
export interface KernelNote {
  uuid: string;
  tenant: string;
  id: string;
  /** Whose right to the files of the system may be there, or be missing. */
  owner: string | null;
  /** Whose secrets may be there. */
  credential: CredName | null;
  methods: AuthnMethod[];
}

/** Notes outlive the process that wrote them, so that what it told the security kernel is not forgotten. */
@Injectable()
export class KernelNotesStore {
  constructor(private readonly database: Database) {}

  /** In the transaction of the change that needs it, or at once for a change that is not made yet. */
  async write(note: Omit<KernelNote, 'uuid'>, tx?: EntityManager): Promise<KernelNote> {
    const sql = `INSERT INTO kernel_notes (tenant, id, owner, cred_user, cred_static, methods)
      VALUES ($1, $2, $3, $4, $5, $6) RETURNING uuid`;
    const { tenant, id, owner, credential, methods } = note;
    const params = [tenant, id, owner, credential?.user, credential?.isStatic, methods];
    const rows = tx
      ? (await run<{ uuid: string }>(tx, sql, params)).rows
      : await this.database.query<{ uuid: string }>(sql, params);
    return { ...note, uuid: rows[0]!.uuid };
  }

  /** Changes of one system that involve the security kernel come one after the other. */
  async lockSystem(tx: EntityManager, { tenant, id }: { tenant: string; id: string }) {
    const key = JSON.stringify([tenant, id]);
    await run(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 5))', [key]);
  }

  /** Takes the note away; false when somebody else has dealt with it. */
  async remove(tx: EntityManager, { uuid }: { uuid: string }): Promise<boolean> {
    const { count } = await run(tx, 'DELETE FROM kernel_notes WHERE uuid = $1', [uuid]);
    return count > 0;
  }

  async olderThan(seconds: number): Promise<KernelNote[]> {
    const rows = await this.database.query<NoteRow>(
      `SELECT uuid, tenant, id, owner, cred_user AS "user", cred_static AS "isStatic", methods FROM kernel_notes
       WHERE created <= now() - make_interval(secs => $1) ORDER BY created LIMIT 1000`,
      [seconds],
    );
    return rows.map(({ user, isStatic, ...note }) => ({
      ...note,
      credential: user === null || isStatic === null ? null : { user, isStatic },
    }));
  }
}

type NoteRow = Omit<KernelNote, 'credential'> & { user: string | null; isStatic: boolean | null };
