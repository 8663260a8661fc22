import { Client, escapeIdentifier } from 'pg';

const MAINTENANCE = 'postgres';

/** A path in the server's URL (other than the maintenance database) is a prefix of every database name. */
export function databaseName(serverUrl: string, name: string): string {
  const prefix = decodeURIComponent(new URL(serverUrl).pathname.slice(1));
  return prefix && prefix !== MAINTENANCE ? `${prefix}_${name}` : name;
}

/** The URL of one database on the server that `serverUrl` names. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.toString();
}

/**
 * Makes the database unless it is there; several processes may ask at once. Text is ordered by code point, whatever
 * the server's own locale (lists and `startAfter` rely on it).
 */
export async function createDatabase(
  serverUrl: string,
  name: string,
  template = 'template0',
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(serverUrl, MAINTENANCE) });
  await client.connect();
  try {
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (known.rowCount) return;
    const { rows } = await client.query<{ version: string }>(
      `SELECT current_setting('server_version_num') AS version`,
    );
    const locale =
      Number(rows[0]!.version) >= 170000
        ? `LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LC_COLLATE 'C' LC_CTYPE 'C'`
        : `LC_COLLATE 'C' LC_CTYPE 'C'`;
    const how = template === 'template0' ? `ENCODING 'UTF8' ${locale}` : '';
    await client.query(
      `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)} ${how}`,
    );
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    // 42P04: it exists; 23505 on the catalogue: somebody made it in the same moment.
    if (code !== '42P04' && !(code === '23505' && constraint === 'pg_database_datname_index'))
      throw error;
  } finally {
    await client.end();
  }
}
