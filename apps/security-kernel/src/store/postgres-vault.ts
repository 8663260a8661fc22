import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import { SecretSeal, type Sealed } from '../domain/seal';
import {
  MAX_VERSIONS,
  SecretVault,
  type FoundSecret,
  type Mark,
  type SecretInfo,
  type VersionInfo,
} from './secret-vault';

interface VersionRow extends VersionInfo {
  key_id: string | null;
  wrapped_key: Buffer | null;
  nonce: Buffer | null;
  tag: Buffer | null;
  ciphertext: Buffer | null;
}

const INFO = 'v.version, v.created AS created_time, v.deleted AS deletion_time, v.destroyed';

/** Secrets in PostgreSQL, sealed. */
@Injectable()
export class PostgresVault extends SecretVault {
  constructor(
    private readonly database: Database,
    private readonly seal: SecretSeal,
  ) {
    super();
  }

  async write(
    tx: EntityManager,
    tenant: string,
    path: string,
    data: Record<string, string>,
  ): Promise<VersionInfo> {
    const { rows } = await run<{ id: string; version: number }>(
      tx,
      `INSERT INTO secret (tenant, path, current_version) VALUES ($1, $2, 1)
       ON CONFLICT (tenant, path) DO UPDATE SET current_version = secret.current_version + 1, updated = now()
       RETURNING id, current_version AS version`,
      [tenant, path],
    );
    const { id, version } = rows[0]!;
    const sealed = this.seal.seal(JSON.stringify(data), place(tenant, path, version));
    const made = await run<VersionInfo>(
      tx,
      `INSERT INTO secret_version AS v (secret_id, version, key_id, wrapped_key, nonce, tag, ciphertext)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${INFO}`,
      [id, version, sealed.keyId, sealed.wrappedKey, sealed.nonce, sealed.tag, sealed.ciphertext],
    );
    await run(tx, 'DELETE FROM secret_version WHERE secret_id = $1 AND version <= $2', [
      id,
      version - MAX_VERSIONS,
    ]);
    return made.rows[0]!;
  }

  async read(tenant: string, path: string, version = 0): Promise<FoundSecret | undefined> {
    const [row] = await this.database.query<VersionRow>(
      `SELECT ${INFO}, v.key_id, v.wrapped_key, v.nonce, v.tag, v.ciphertext FROM secret s JOIN secret_version v ON v.secret_id = s.id
       WHERE s.tenant = $1 AND s.path = $2 AND v.version = CASE WHEN $3::int = 0 THEN s.current_version ELSE $3::int END`,
      [tenant, path, version],
    );
    if (!row || row.destroyed || row.deletion_time) return undefined;
    const { version: found, created_time, deletion_time, destroyed } = row;
    const text = this.seal.open(sealedOf(row), place(tenant, path, found));
    return {
      data: JSON.parse(text) as Record<string, string>,
      info: { version: found, created_time, deletion_time, destroyed },
    };
  }

  async info(tenant: string, path: string): Promise<SecretInfo | undefined> {
    const rows = await this.database.query<
      VersionInfo & Pick<SecretInfo, 'current_version'> & { made: Date; changed: Date }
    >(
      `SELECT ${INFO}, s.current_version, s.created AS made, s.updated AS changed
       FROM secret s JOIN secret_version v ON v.secret_id = s.id WHERE s.tenant = $1 AND s.path = $2 ORDER BY v.version`,
      [tenant, path],
    );
    const [first] = rows;
    if (!first) return undefined;
    return {
      created_time: first.made,
      updated_time: first.changed,
      current_version: first.current_version,
      oldest_version: first.version,
      max_versions: MAX_VERSIONS,
      versions: rows.map(({ version, created_time, deletion_time, destroyed }) => ({
        version,
        created_time,
        deletion_time,
        destroyed,
      })),
    };
  }

  async list(tenant: string, folder: string): Promise<string[]> {
    const rows = await this.database.query<{ path: string }>(
      'SELECT path FROM secret WHERE tenant = $1 AND starts_with(path, $2) ORDER BY path COLLATE "C"',
      [tenant, folder],
    );
    const names = rows.map(({ path }) => {
      const rest = path.slice(folder.length);
      const slash = rest.indexOf('/');
      return slash < 0 ? rest : rest.slice(0, slash + 1);
    });
    return [...new Set(names)];
  }

  async mark(
    tx: EntityManager,
    tenant: string,
    path: string,
    what: Mark,
    versions: number[],
  ): Promise<number[]> {
    const change = {
      delete: 'deleted = coalesce(v.deleted, now())',
      undelete: 'deleted = NULL',
      destroy:
        'destroyed = true, key_id = NULL, wrapped_key = NULL, nonce = NULL, tag = NULL, ciphertext = NULL',
    }[what];
    const { rows } = await run<{ version: number }>(
      tx,
      `UPDATE secret_version v SET ${change} FROM secret s
       WHERE s.id = v.secret_id AND s.tenant = $1 AND s.path = $2 AND NOT v.destroyed
         AND (cardinality($3::int[]) = 0 OR v.version = ANY($3::int[]) OR (0 = ANY($3::int[]) AND v.version = s.current_version))
       RETURNING v.version`,
      [tenant, path, versions],
    );
    return rows.map((r) => r.version).sort((a, b) => a - b);
  }

  async erase(tx: EntityManager, tenant: string, path: string): Promise<boolean> {
    const sql = 'DELETE FROM secret WHERE tenant = $1 AND (path = $2 OR starts_with(path, $3))';
    return (await run(tx, sql, [tenant, path, `${path}/`])).count > 0;
  }

  /** Opens one secret of each master key in use: a key that is missing or wrong is seen before somebody needs it. */
  async check(): Promise<void> {
    const rows = await this.database.query<SecretRow>(
      `WITH RECURSIVE used AS (
         SELECT min(key_id) AS key_id FROM secret_version
         UNION ALL SELECT (SELECT min(v.key_id) FROM secret_version v WHERE v.key_id > u.key_id)
         FROM used u WHERE u.key_id IS NOT NULL)
       SELECT one.* FROM used u CROSS JOIN LATERAL (
         SELECT ${SEALED} FROM secret_version v JOIN secret s ON s.id = v.secret_id WHERE v.key_id = u.key_id LIMIT 1) one`,
    );
    for (const row of rows) this.seal.open(sealedOf(row), place(row.tenant, row.path, row.version));
  }

  /** Wraps some secrets again that another master key than the current one wrapped; how many. */
  async wrapSome(most: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const { rows } = await run<SecretRow & { secret_id: string }>(
        tx,
        `SELECT v.secret_id, ${SEALED} FROM secret_version v JOIN secret s ON s.id = v.secret_id
         WHERE v.key_id <> $1 OR (v.key_id IS NOT NULL AND v.wrapped_key IS NULL)
         LIMIT $2 FOR UPDATE OF v SKIP LOCKED`,
        [this.seal.current, most],
      );
      for (const row of rows) {
        const again = this.seal.wrapAgain(sealedOf(row), place(row.tenant, row.path, row.version));
        await run(
          tx,
          `UPDATE secret_version SET key_id = $3, wrapped_key = $4, nonce = $5, tag = $6, ciphertext = $7
           WHERE secret_id = $1 AND version = $2`,
          [
            row.secret_id,
            row.version,
            again.keyId,
            again.wrappedKey,
            again.nonce,
            again.tag,
            again.ciphertext,
          ],
        );
      }
      return rows.length;
    });
  }

  /** How many stored versions each master key wraps. */
  async usedKeys(): Promise<{ keyId: string; versions: number }[]> {
    return this.database.query(
      `SELECT key_id AS "keyId", count(*)::int AS versions FROM secret_version
       WHERE key_id IS NOT NULL GROUP BY key_id ORDER BY key_id COLLATE "C"`,
    );
  }
}

const SEALED = 's.tenant, s.path, v.version, v.key_id, v.wrapped_key, v.nonce, v.tag, v.ciphertext';

type SecretRow = VersionRow & { tenant: string; path: string };

function sealedOf({ key_id, wrapped_key, nonce, tag, ciphertext }: VersionRow): Sealed {
  return {
    keyId: key_id!,
    wrappedKey: wrapped_key,
    nonce: nonce!,
    tag: tag!,
    ciphertext: ciphertext!,
  };
}

function place(tenant: string, path: string, version: number): string {
  return `${tenant}|${path}|${version}`;
}
