import fc from 'fast-check';
import type { SearchedRecord, SearchField } from './search-evaluator';
import { leaves, type GeneratedSearch } from './search-generator';
import { asCondition, asSqlLike, dice } from './search-writer';

/** Random searches that are wrong at one place, which the refusal must tell. */
export function brokenSearches(
  fields: readonly SearchField[],
  records: readonly SearchedRecord[],
): fc.Arbitrary<Omit<GeneratedSearch, 'holds' | 'mentions'>> {
  const name = fc
    .constantFrom(...fields.filter(({ type }) => type === 'string'))
    .map((f) => f.name);
  const number = fc.constantFrom(...fields.filter(({ type }) => type === 'integer'));
  const good = leaves(fields, records).filter(({ op }) => !op.endsWith('contains'));
  const words = fc
    .tuple(good, name, number, fc.nat())
    .map(([leaf, text, { name: count }, seed]) => {
      const before = `(${asCondition(leaf, dice(seed)).join('.')})`;
      const sql = asSqlLike(leaf, dice(seed)).join(' ');
      return { before, sql, text, count };
    });
  const inSearch = words.chain(({ before, text, count }) =>
    fc.constantFrom(
      `${before}~(noSuchThing.eq.1)`,
      `${before}~(${text}.eqq.1)`,
      `${before}~(${text}.contains.a)`,
      `${before}~(${count}.like.1*)`,
      `${before}~(${count}.eq.one)`,
      `${before}~(${count}.between.1)`,
      `${before}~(${count}.between.1,2,3)`,
      `${before}~(created.gt.26-01-01)`,
      `${before}~(created.gt.2026-01-01 10:00)`,
      `${before}~(${text}.eq.)`,
      `${before}~(${text}.in.a,,b)`,
      `${before}~(${text}.eq.a`,
      `${before}~(${text}.eq.a))`,
      `${before}~(${text}.eq.a(b)`,
      `${before}${before}`,
      `${before}~(${text})`,
      `${before}~(notes.eq.1)`,
      `${before}~${text}.eq.a`,
    ),
  );
  const inBody = words.chain(({ sql, text, count }) =>
    fc.constantFrom(
      `${sql} AND`,
      `${sql} OR ()`,
      `(${sql}`,
      `${sql})`,
      `${sql} AND noSuchThing = 1`,
      `${sql} AND ${text} IS NULL`,
      `${sql} AND ${text} IS NOT NULL`,
      `${sql} AND NOT (${text} = 'a')`,
      `${sql} AND ${text} = 'a`,
      `${sql} AND ${count} = 1 + 1`,
      `${sql} AND ${count} = 'one'`,
      `${sql} AND ${count} LIKE '1%'`,
      `${sql} AND ${text} LIKE 'a' ESCAPE '!'`,
      `${sql} AND upper(${text}) = 'A'`,
      `${sql} AND ${text} IN (SELECT 1)`,
      `${sql} AND ${text} BETWEEN 'a' OR 'b'`,
      `${sql}; DROP TABLE systems`,
      `${sql} UNION SELECT 1`,
      `${sql} AND created > 'yesterday'`,
      `${sql} AND ${text} == 'a'`,
    ),
  );
  return fc.oneof(
    inSearch.map((search) => ({ query: { search } })),
    inBody.map((search) => ({ query: {}, body: { search: [search] } })),
  );
}
