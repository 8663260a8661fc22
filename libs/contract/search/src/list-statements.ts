import type { ListSql } from './list-sql';

/** Where the rows of a list lie. The texts are written by the service, with their values bound in `params`. */
export interface ListedRows {
  /** A table and its alias: `systems s`. */
  from: string;
  alias: string;
  /** Holds for every row of the list. */
  where: readonly string[];
  /** One of these must hold too; no row fits two of them. None at all: the list is empty. */
  alternatives: readonly string[];
}

/**
 * The statement that reads a page, as a source `(...) alias` in the list's order, and the one that counts. Each
 * alternative is read by itself: an index gives it in the order of the list, where an OR would have all sorted.
 */
export function listStatements(
  { from, alias, where, alternatives }: ListedRows,
  sql: ListSql,
): { page: string; count: string } {
  const ways = alternatives.length ? alternatives : ['FALSE'];
  const rows = (one: string) =>
    `FROM ${from} WHERE ${[...where, one, `(${sql.where})`].join(' AND ')}`;
  const read = (one: string, cut: string) =>
    `(SELECT ${alias}.* ${rows(one)} AND ${sql.after} ${sql.orderBy} ${cut})`;
  const page =
    ways.length === 1
      ? `${read(ways[0]!, sql.page)} ${alias}`
      : `(SELECT * FROM (${ways.map((one) => read(one, sql.enough)).join(' UNION ALL ')}) ${alias}
         ${sql.orderBy} ${sql.page}) ${alias}`;
  const counts = ways.map((one) => `(SELECT count(*) ${rows(one)})`);
  return { page, count: `SELECT (${counts.join(' + ')})::int AS n` };
}
