import { comparableValue, compare, type Row } from './compare';
import { matches } from './pattern';
import type { TypedCondition, Where } from './where';

/** The condition as a function of a record; answers what `toSql` would on the same data. */
export function toPredicate(where: Where | undefined): (record: Row) => boolean {
  if (where === undefined) return () => true;
  if ('and' in where) {
    const all = where.and.map(toPredicate);
    return (record) => all.every((holds) => holds(record));
  }
  if ('or' in where) {
    const any = where.or.map(toPredicate);
    return (record) => any.some((holds) => holds(record));
  }
  return (record) => holdsFor(where, record[where.attribute]);
}

/** A missing value matches nothing, negated operators included. */
function holdsFor({ op, type, values, pattern }: TypedCondition, given: unknown): boolean {
  if (given === undefined || given === null) return false;
  if (type === 'tags') {
    const overlap = (given as readonly string[]).some((tag) => values.includes(tag));
    return op === 'contains' || op === 'in' ? overlap : !overlap;
  }
  const value = comparableValue(given, type);
  if (value === undefined) return false;
  const to = (index: number) => compare(value, values[index]!);
  switch (op) {
    case 'eq':
      return to(0) === 0;
    case 'neq':
      return to(0) !== 0;
    case 'lt':
      return to(0) < 0;
    case 'lte':
      return to(0) <= 0;
    case 'gt':
      return to(0) > 0;
    case 'gte':
      return to(0) >= 0;
    case 'between':
      return to(0) >= 0 && to(1) <= 0;
    case 'nbetween':
      return to(0) < 0 || to(1) > 0;
    case 'in':
      return values.some((_, index) => to(index) === 0);
    case 'nin':
      return values.every((_, index) => to(index) !== 0);
    case 'like':
      return matches(pattern!, String(value));
    case 'nlike':
      return !matches(pattern!, String(value));
    case 'contains':
    case 'ncontains':
      throw new Error(`${op} is for tags only`);
  }
}
