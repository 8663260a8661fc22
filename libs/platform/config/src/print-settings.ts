import { isSecret, settingsOf, type SettingsClass } from './setting';
import type { Environment } from './load-settings';

/** A table of the settings of these classes for people, each variable once; secrets are masked. */
export function printSettings(types: SettingsClass[], env: Environment = {}): string {
  const rows = new Map<string, string[]>();
  for (const record of types.flatMap(settingsOf)) {
    const set = env[record.env];
    const plain = set ?? (record.default === undefined ? '' : JSON.stringify(record.default));
    const value = isSecret(record) && set ? '********' : plain.replace(/^"|"$/g, '');
    const needed = record.required ? ' (required)' : '';
    rows.set(record.env, [record.env, record.kind, value, record.doc + needed]);
  }
  const table = [['VARIABLE', 'KIND', 'VALUE', 'MEANING'], ...[...rows.values()].sort()];
  const widths = [0, 1, 2].map((i) => Math.max(...table.map((row) => row[i]!.length)));
  return table
    .map((row) => row.map((cell, i) => (i < 3 ? cell.padEnd(widths[i]!) : cell)).join('  '))
    .join('\n');
}
