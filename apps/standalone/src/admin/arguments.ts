import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environment } from '@libs/config';
import type { Secrets } from '../parts/secrets';
import { Problem } from '../problem';
import { PublicApi } from '../sample/public-api';
import { PRIMARY } from '../primary';
import { siteAdministrator } from './administrators';
import type { OwnerRecord } from './bring-up';

export type Values = Record<string, string | undefined>;

/** The words after `add`, or a Problem with the usage. */
export function argumentsOf(
  usage: string,
  names: readonly string[],
): { id: string; values: Values } {
  const refuse = (why: string) => new Problem(`${why}\n${usage}`);
  const known = [...names, 'url', 'user', 'owner', 'owner-name', 'institution', 'data'];
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      allowPositionals: true,
      options: Object.fromEntries(known.map((name) => [name, { type: 'string' as const }])),
    });
    const [verb, id, ...more] = positionals;
    if (verb !== 'add' || !id || more.length) throw new Error('add and one id are needed');
    if (!values['owner']) throw new Error('--owner is needed');
    return { id, values: values as Values };
  } catch (error) {
    throw refuse((error as Error).message);
  }
}

/** The administrator whom --url, --user and the environment name; by default that of `npm start`. */
export function administrator(values: Values): Promise<PublicApi> {
  const { PRIMARY_URL, PORT, ADMIN_TOKEN, ADMIN_PASSWORD } = environment();
  const url = values['url'] ?? PRIMARY_URL ?? `http://admin.localhost:${PORT ?? 3000}`;
  const user = values['user'] ?? 'admin';
  return siteAdministrator(url, { token: ADMIN_TOKEN, user, password: ADMIN_PASSWORD ?? user });
}

export const ownerOf = (values: Values): OwnerRecord => ({
  email: values['owner']!,
  name: values['owner-name'] ?? values['owner']!,
  institution: values['institution'] ?? '-',
});

/** Where an installation on this machine keeps its data: that of an associate lies below the primary's. */
export function dataOf(values: Values, site: string): string {
  const folder = environment()['DATA_DIR'] ?? '.data';
  return values['data'] ?? (site === PRIMARY ? folder : join(folder, 'sites', site));
}

export function secretsOf(folder: string): Secrets | undefined {
  const file = join(folder, 'secrets.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Secrets) : undefined;
}

export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const { message, stack } = error as Error;
    process.stderr.write(`${error instanceof Problem ? message : (stack ?? message)}\n`);
    process.exitCode = 1;
  }
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);
