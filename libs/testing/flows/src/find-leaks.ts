import { databaseUrl } from '@libs/database';
import { Client } from 'pg';
import type { PlatformProcess } from './platform-process';

/** A secret that must not be found, with a name for the message. */
export type Needles = Record<string, string>;

/**
 * Looks for secrets in every table of every service but the security kernel, in the logs and in the answers of the
 * test. Answers one sentence for each place; never the secret.
 */
export async function findLeaks(
  platform: PlatformProcess,
  secrets: Needles,
  serverUrl = platform.databaseUrl,
): Promise<string[]> {
  if (!serverUrl) throw new Error('the database server must be known to be searched');
  const needles = Object.entries(secrets).flatMap(([name, secret]) =>
    forms(secret).map((form) => ({ name, form })),
  );
  const found: string[] = [];
  const search = (place: string, text: string) => {
    for (const { name, form } of needles)
      if (text.includes(form)) found.push(`${name} in ${place}`);
  };
  search('the logs', platform.logs());
  for (const answer of platform.answers.all())
    search(`the answer ${answer.split('\n', 1)[0]}`, answer);
  for (const database of await databasesOf(serverUrl)) {
    if (database.endsWith(`${platform.name}_security`)) continue;
    await eachRow(databaseUrl(serverUrl, database), (table, row) =>
      search(`${database}.${table}`, row),
    );
  }
  return [...new Set(found)];
}

/** A secret as JSON, as base64, and the middle of a key that may have been wrapped differently. */
function forms(secret: string): string[] {
  if (secret.length < 8) throw new Error('too short to be told from other text');
  const lines = secret.split('\n').filter((line) => line && !line.includes('-----'));
  const middle = lines.length > 2 ? [lines[Math.floor(lines.length / 2)]!] : [];
  const bytes = Buffer.from(secret);
  // the last four letters depend on what follows
  const encoded = [bytes.toString('base64').slice(0, -4), bytes.toString('hex')];
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), ...encoded, ...middle])];
}

async function databasesOf(serverUrl: string): Promise<string[]> {
  const prefix = decodeURIComponent(new URL(serverUrl).pathname.slice(1));
  const sql =
    'SELECT datname FROM pg_database WHERE NOT datistemplate AND starts_with(datname, $1)';
  const rows = await query(databaseUrl(serverUrl, 'postgres'), sql, [
    prefix === 'postgres' ? '' : prefix,
  ]);
  if (!rows.length) throw new Error(`no database begins with ${prefix}`);
  return rows.map((row) => row.datname as string);
}

async function eachRow(url: string, see: (table: string, row: string) => void): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of tables) {
      const { rows } = await client.query(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      for (const { row } of rows) see(name, row);
    }
  } finally {
    await client.end();
  }
}

async function query(url: string, sql: string, params: unknown[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, params)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
