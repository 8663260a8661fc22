import type { Attribute } from './attributes';
import type { Scalar } from './where';

/** Where an attribute is found in SQL. `sql` is written by the service, never by a request. */
export interface Column {
  readonly sql: string;
  /** How tags are stored; text[] unless given. */
  readonly tags?: 'text[]' | 'jsonb';
  /** It is the member `key` of this jsonb, which has an index for containment: equality is asked that way. */
  readonly member?: { readonly of: string; readonly key: string };
  /** What is computed: how it is asked whether it equals a value, in a form that indexes answer. `bind` gives the value's place. */
  readonly equals?: (value: Scalar, bind: () => string) => string;
}

export type Columns = Readonly<Record<string, Column>>;

/** A quoted identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** execSystemId is exec_system_id, memoryMB is memory_mb. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/**
 * A column for each searchable or sortable attribute: its name in snake case, of table `alias` if
 * given; `overrides` says where the others are.
 */
export function columnsOf(
  attributes: readonly Attribute[],
  {
    alias,
    overrides = {},
  }: { alias?: string; overrides?: Readonly<Record<string, Column | string>> } = {},
): Columns {
  const table = alias ? `${quoted(alias)}.` : '';
  const usual = attributes
    .filter(({ search, sort }) => search || sort)
    .map(({ name }) => [name, { sql: table + quoted(snakeCase(name)) }] as const);
  const special = Object.entries(overrides).map(
    ([name, column]) => [name, typeof column === 'string' ? { sql: column } : column] as const,
  );
  return Object.fromEntries([...usual, ...special]);
}

const CASTS = {
  integer: 'bigint',
  number: 'numeric',
  boolean: 'boolean',
  timestamp: 'timestamptz',
};

/** A scalar that lives in a jsonb column: `jsonAttribute('"attributes"', 'host')`. */
export function jsonAttribute(
  column: string,
  key: string,
  type: 'string' | keyof typeof CASTS = 'string',
): Column {
  const text = `${column}->>'${key.replaceAll("'", "''")}'`;
  return { sql: type === 'string' ? `(${text})` : `(${text})::${CASTS[type]}` };
}

/** As `jsonAttribute`, in a jsonb column with a GIN index: what equals a value is found by that index. */
export function indexedAttribute(
  column: string,
  key: string,
  type: 'string' | keyof typeof CASTS = 'string',
): Column {
  return { ...jsonAttribute(column, key, type), member: { of: column, key } };
}
