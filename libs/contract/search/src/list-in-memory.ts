import { comparableValue, compare, type Row } from './compare';
import type { ListQuery } from './list-query';
import type { OrderKey } from './order-by';
import { toPredicate } from './to-predicate';

/** The page of a list that is held in memory, and how many records match; same rules as the SQL. */
export function listInMemory<T extends object>(
  { where, orderBy, startAfter, skip, limit }: ListQuery,
  records: readonly T[],
): { page: T[]; total: number } {
  const holds = toPredicate(where);
  const found = records.filter((record) => holds(record as Row));
  const [first] = orderBy;
  const rest =
    startAfter === undefined || !first
      ? found
      : found.filter((record) => {
          const value = comparableValue((record as Row)[first.attribute], first.type);
          if (value === undefined) return false;
          const side = compare(value, startAfter);
          return first.descending ? side < 0 : side > 0;
        });
  rest.sort((a, b) => order(a as Row, b as Row, orderBy));
  const end = limit === undefined ? undefined : skip + limit;
  return { page: rest.slice(skip, end), total: found.length };
}

/** Missing values come last upwards and first downwards, as PostgreSQL has it. */
function order(a: Row, b: Row, keys: readonly OrderKey[]): number {
  for (const { attribute, type, descending } of keys) {
    const left = comparableValue(a[attribute], type);
    const right = comparableValue(b[attribute], type);
    let side = 0;
    if (left === undefined || right === undefined) {
      side = Number(left === undefined) - Number(right === undefined);
    } else side = compare(left, right);
    if (side !== 0) return descending ? -side : side;
  }
  return 0;
}
