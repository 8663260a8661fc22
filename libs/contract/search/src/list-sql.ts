import type { Columns } from './columns';
import type { ListQuery } from './list-query';
import { bound, columnOf, comparable, toSql } from './to-sql';

export interface ListSql {
  /** The search conditions; TRUE without any. */
  readonly where: string;
  /** The keyset condition of startAfter; TRUE without. A count leaves it out. */
  readonly after: string;
  /** `ORDER BY ...` */
  readonly orderBy: string;
  /** `LIMIT ... OFFSET ...`, or nothing. */
  readonly page: string;
  /** `LIMIT ...`: as many rows as a page may be cut out of, when several sources are put together. */
  readonly enough: string;
  /** The parameters up to `where`: those of a statement that counts. */
  readonly countParams: unknown[];
}

/**
 * The pieces of a list's statement. `params` holds what the service bound already (tenant, owner)
 * and grows; every piece but `where` is for the statement that reads, not for the one that counts.
 */
export function listSql(query: ListQuery, columns: Columns, params: unknown[]): ListSql {
  const where = toSql(query.where, columns, params);
  const countParams = [...params];
  const after = afterSql(query, columns, params);
  const keys = query.orderBy.map(
    ({ attribute, type, descending }) =>
      `${comparable(columnOf(columns, attribute), type)}${descending ? ' DESC' : ''}`,
  );
  const limit = query.limit === undefined ? '' : `$${params.push(query.limit)}::bigint`;
  const skip = query.skip > 0 ? `$${params.push(query.skip)}::bigint` : '';
  const page = [...(limit ? [`LIMIT ${limit}`] : []), ...(skip ? [`OFFSET ${skip}`] : [])];
  return {
    where,
    after,
    orderBy: keys.length ? `ORDER BY ${keys.join(', ')}` : '',
    page: page.join(' '),
    enough: limit && `LIMIT ${[limit, skip].filter(Boolean).join(' + ')}`,
    countParams,
  };
}

function afterSql({ startAfter, orderBy }: ListQuery, columns: Columns, params: unknown[]): string {
  const first = orderBy[0];
  if (startAfter === undefined || !first) return 'TRUE';
  const { attribute, type, descending } = first;
  const column = comparable(columnOf(columns, attribute), type);
  return `${column} ${descending ? '<' : '>'} ${bound(startAfter, type, params)}`;
}
