import { Injectable } from '@nestjs/common';
import { Database, run } from '@libs/database';
import type { EntityManager } from 'typeorm';
import { SecretSeal, type Sealed } from '../domain/seal';

/** Older versions than this many vanish. */
export const MAX_VERSIONS = 10;

export interface VersionInfo {
  version: number;
  created_time: Date;
  deletion_time: Date | null;
  destroyed: boolean;
}

export interface SecretInfo {
  created_time: Date;
  updated_time: Date;
  current_version: number;
  oldest_version: number;
  max_versions: number;
  versions: VersionInfo[];
}

interface VersionRow extends VersionInfo {
  key_id: string | null;
  nonce: Buffer | null;
  tag: Buffer | null;
  ciphertext: Buffer | null;
}

const INFO = 'v.version, v.created AS created_time, v.deleted AS deletion_time, v.destroyed';

/** Versioned secrets of a tenant by path; what lies in the tables is sealed. */
@Injectable()
export class SecretsStore {
  constructor(
    private readonly database: Database,
    private readonly seal: SecretSeal,
  ) {}

  async write(tenant: string, path: string, data: Record<string, string>): Promise<VersionInfo> {
    return this.database.transaction(async (tx) => {
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
        `INSERT INTO secret_version AS v (secret_id, version, key_id, nonce, tag, ciphertext)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${INFO}`,
        [id, version, sealed.keyId, sealed.nonce, sealed.tag, sealed.ciphertext],
      );
      await run(tx, 'DELETE FROM secret_version WHERE secret_id = $1 AND version <= $2', [
        id,
        version - MAX_VERSIONS,
      ]);
      return made.rows[0]!;
    });
  }

  /** The secret of a version, 0 for the latest; undefined when it is missing, deleted or destroyed. */
  async read(
    tenant: string,
    path: string,
    version = 0,
  ): Promise<{ data: Record<string, string>; info: VersionInfo } | undefined> {
    const [row] = await this.database.query<VersionRow>(
      `SELECT ${INFO}, v.key_id, v.nonce, v.tag, v.ciphertext FROM secret s JOIN secret_version v ON v.secret_id = s.id
       WHERE s.tenant = $1 AND s.path = $2 AND v.version = CASE WHEN $3::int = 0 THEN s.current_version ELSE $3::int END`,
      [tenant, path, version],
    );
    if (!row || row.destroyed || row.deletion_time) return undefined;
    const { key_id, nonce, tag, ciphertext, ...info } = row;
    const sealed: Sealed = { keyId: key_id!, nonce: nonce!, tag: tag!, ciphertext: ciphertext! };
    return {
      data: JSON.parse(this.seal.open(sealed, place(tenant, path, info.version))) as Record<
        string,
        string
      >,
      info,
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

  /** Names right below a folder; folders among them end with `/`. */
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

  /** Marks versions: `delete` hides, `undelete` shows again, `destroy` wipes for good. Answers those that exist. */
  async mark(
    tenant: string,
    path: string,
    what: 'delete' | 'undelete' | 'destroy',
    versions: number[],
  ): Promise<number[]> {
    const change = {
      delete: 'deleted = coalesce(v.deleted, now())',
      undelete: 'deleted = NULL',
      destroy: 'destroyed = true, key_id = NULL, nonce = NULL, tag = NULL, ciphertext = NULL',
    }[what];
    const rows = await this.database.query<{ version: number }>(
      `UPDATE secret_version v SET ${change} FROM secret s
       WHERE s.id = v.secret_id AND s.tenant = $1 AND s.path = $2 AND NOT v.destroyed
         AND (cardinality($3::int[]) = 0 OR v.version = ANY($3::int[]) OR (0 = ANY($3::int[]) AND v.version = s.current_version))
       RETURNING v.version`,
      [tenant, path, versions],
    );
    return rows.map((r) => r.version).sort((a, b) => a - b);
  }

  /** Drops a secret with all versions; a folder takes everything below it along. */
  async erase(tenant: string, path: string, tx?: EntityManager): Promise<void> {
    const sql = 'DELETE FROM secret WHERE tenant = $1 AND (path = $2 OR starts_with(path, $3))';
    const params = [tenant, path, `${path}/`];
    await (tx ? run(tx, sql, params) : this.database.query(sql, params));
  }
}

function place(tenant: string, path: string, version: number): string {
  return `${tenant}|${path}|${version}`;
}
