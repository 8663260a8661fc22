export type SettingKind = 'url' | 'text' | 'int' | 'bool' | 'json' | 'secret';

export interface SettingRecord {
  /** Property of the settings class. */
  field: string;
  /** Variable of the environment. */
  env: string;
  kind: SettingKind;
  doc: string;
  default?: unknown;
  /** Must be set; without it a missing value leaves the field undefined. */
  required?: boolean;
  /** Never printed; `kind: 'secret'` says the same for plain text. */
  secret?: boolean;
  /** Bounds of a whole number; 0 and what 32 bits hold unless given. */
  min?: number;
  max?: number;
  /** What a text must look like, and that in words. */
  match?: RegExp;
  rule?: string;
  /** Allowed values of a text. */
  choices?: readonly string[];
}

export type SettingOptions = Omit<SettingRecord, 'field'>;
export type SettingsClass<T extends object = object> = new () => T;

const records = new WeakMap<object, SettingRecord[]>();

/** Declares a field of a settings class: where it comes from, what it may be, and a sentence for people. */
export function Setting(options: SettingOptions): PropertyDecorator {
  return (prototype, field) => {
    const own = records.get(prototype) ?? [];
    own.push({ ...options, field: String(field) });
    records.set(prototype, own);
  };
}

/** The settings of a class, inherited ones first; a field declared again replaces the inherited one. */
export function settingsOf(type: SettingsClass): SettingRecord[] {
  const found = new Map<string, SettingRecord>();
  const chain: object[] = [];
  for (let p = type.prototype as object; p && p !== Object.prototype; p = Object.getPrototypeOf(p))
    chain.unshift(p);
  for (const record of chain.flatMap((p) => records.get(p) ?? [])) found.set(record.field, record);
  return [...found.values()];
}

export const isSecret = (record: SettingRecord): boolean =>
  record.kind === 'secret' || record.secret === true;
