import type { Column, Columns } from './columns';
import { toLike } from './pattern';
import type { AttributeType, Operator, Scalar, TypedCondition, Where } from './where';

const SYMBOLS: Partial<Record<Operator, string>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

const CASTS: Readonly<Record<AttributeType, string>> = {
  string: 'text',
  integer: 'bigint',
  number: 'numeric',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  tags: 'text',
  json: 'jsonb',
};

/**
 * The condition as SQL: columns from the caller's list, every value bound to the next `$n` of
 * `params`, which grows. Text is compared by code point. Without a condition it is TRUE.
 */
export function toSql(where: Where | undefined, columns: Columns, params: unknown[]): string {
  if (where === undefined) return 'TRUE';
  if ('and' in where) return `(${where.and.map((w) => toSql(w, columns, params)).join(' AND ')})`;
  if ('or' in where) return `(${where.or.map((w) => toSql(w, columns, params)).join(' OR ')})`;
  return conditionSql(where, columnOf(columns, where.attribute), params);
}

export function columnOf(columns: Columns, attribute: string): Column {
  const column = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined;
  if (!column) throw new Error(`no column for attribute ${attribute}`);
  return column;
}

/** The column as it is compared and sorted: text by code point, whatever the database's language. */
export function comparable({ sql }: Column, type: AttributeType): string {
  return type === 'string' ? `${sql} COLLATE "C"` : sql;
}

/** Binds a value and answers its place in the statement. */
export function bound(value: Scalar, type: AttributeType, params: unknown[]): string {
  params.push(value);
  return `$${params.length}::${CASTS[type]}`;
}

function conditionSql(condition: TypedCondition, column: Column, params: unknown[]): string {
  const { op, type, values, pattern } = condition;
  if (type === 'tags') return tagsSql(op, values, column, params);
  const value = (index: number) => bound(values[index]!, type, params);
  const { member, equals } = column;
  if (equals && (op === 'eq' || op === 'in'))
    return `(${values.map((one, i) => equals(one, () => value(i))).join(' OR ')})`;
  if (member && op === 'eq') return `${member.of} @> ${contained(member.key, values, params)}`;
  if (member && op === 'in')
    return `${member.of} @> ANY(ARRAY[${values.map((one) => contained(member.key, [one], params)).join(', ')}])`;
  switch (op) {
    case 'eq':
    case 'neq':
      return `${column.sql} ${SYMBOLS[op]} ${value(0)}`;
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return `${comparable(column, type)} ${SYMBOLS[op]} ${value(0)}`;
    case 'between':
    case 'nbetween': {
      const not = op === 'nbetween' ? 'NOT ' : '';
      return `${comparable(column, type)} ${not}BETWEEN ${value(0)} AND ${value(1)}`;
    }
    case 'in':
    case 'nin': {
      params.push([...values]);
      const list = `($${params.length}::${CASTS[type]}[])`;
      return op === 'in' ? `${column.sql} = ANY${list}` : `${column.sql} <> ALL${list}`;
    }
    case 'like':
    case 'nlike':
      params.push(toLike(pattern!));
      return `${column.sql} ${op === 'like' ? '' : 'NOT '}LIKE $${params.length}::text`;
    case 'contains':
    case 'ncontains':
      throw new Error(`${op} is for tags only`);
  }
}

function contained(key: string, [value]: readonly Scalar[], params: unknown[]): string {
  params.push(JSON.stringify({ [key]: value }));
  return `$${params.length}::jsonb`;
}

/** All four operators ask whether the two sets have a member in common. */
function tagsSql(
  op: Operator,
  values: readonly Scalar[],
  { sql, tags }: Column,
  params: unknown[],
): string {
  params.push([...values]);
  const overlap = `${sql} ${tags === 'jsonb' ? '?|' : '&&'} $${params.length}::text[]`;
  return op === 'contains' || op === 'in' ? overlap : `NOT (${overlap})`;
}
