import { isSecret, settingsOf, type SettingRecord, type SettingsClass } from './setting';
import { applyPlatformName } from './apply-platform-name';

/** Values by variable name: a copy of the environment, or what a launcher made up for one service. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that is wrong with the settings of one class, in one error; values are never repeated for secrets. */
export class SettingsError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are not usable:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

const TRUE = ['true', '1', 'yes', 'on'];
const FALSE = ['false', '0', 'no', 'off'];

function read(record: SettingRecord, text: string): unknown {
  switch (record.kind) {
    case 'int':
      return whole(text, record);
    case 'bool':
      if (TRUE.includes(text.toLowerCase())) return true;
      if (FALSE.includes(text.toLowerCase())) return false;
      throw new Error('is neither true nor false');
    case 'url':
      if (!URL.canParse(text)) throw new Error('is not a URL');
      return text.replace(/\/+$/, '');
    case 'json':
      try {
        return JSON.parse(text);
      } catch {
        throw new Error('is not JSON');
      }
    default:
      if (record.choices && !record.choices.includes(text))
        throw new Error(`is none of ${record.choices.join(', ')}`);
      if (record.match && !record.match.test(text)) throw new Error(record.rule ?? 'is not valid');
      return text;
  }
}

function whole(text: string, { min = 0, max = 2_147_483_647 }: SettingRecord): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new Error('is not a whole number');
  const number = Number(text);
  if (number < min || number > max) throw new Error(`is not between ${min} and ${max}`);
  return number;
}

/** A filled instance of the settings class, or one SettingsError that lists everything wrong. */
export function loadSettings<T extends object>(type: SettingsClass<T>, env: Environment): T {
  const settings = new type();
  const problems: string[] = [];
  for (const record of settingsOf(type)) {
    const text = env[record.env];
    let value: unknown;
    if (text === undefined || text === '') {
      if (record.required) problems.push(`${record.env} is missing: ${record.doc}`);
      value = record.default;
    } else {
      try {
        value = read(record, text);
      } catch (error) {
        const shown = isSecret(record) || record.kind === 'url' ? '' : ` (${JSON.stringify(text)})`;
        problems.push(`${record.env}${shown} ${(error as Error).message}: ${record.doc}`);
      }
    }
    (settings as Record<string, unknown>)[record.field] = value;
  }
  if (problems.length) throw new SettingsError(problems);
  applyPlatformName(settings);
  return settings;
}
