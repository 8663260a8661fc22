import fc from 'fast-check';
import {
  fits,
  mentionsField,
  type Leaf,
  type PatternPart,
  type SearchedRecord,
  type SearchField,
  type SearchType,
  type Tree,
} from './search-evaluator';
import { asCondition, asSearch, asSqlLike, dice } from './search-writer';

/** A search as a request has it, and what it means. */
export interface GeneratedSearch {
  /** Parameters of the list, `search` among them. */
  query: Record<string, string | string[]>;
  /** The parameters are conditions themselves (GET search). */
  conditions?: boolean;
  /** The body of a POST search. */
  body?: { search: string[] };
  holds(record: SearchedRecord): boolean;
  mentions(field: string): boolean;
}

const COMPARE = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'between', 'nbetween'];
const OPERATORS: Record<SearchType, string[]> = {
  string: [...COMPARE, 'in', 'nin', 'like', 'nlike'],
  integer: [...COMPARE, 'in', 'nin'],
  number: [...COMPARE, 'in', 'nin'],
  boolean: ['eq', 'neq'],
  timestamp: COMPARE,
  tags: ['in', 'nin', 'contains', 'ncontains'],
};

/** Values that try to be more than values, and others that they would find. */
export const HOSTILE = [
  "' OR '1'='1",
  "'; DROP TABLE systems; DROP TABLE apps; --",
  '$1',
  '$2::text',
  '\\',
  "\\'",
  '%',
  '_',
  // what a wildcard that is none would find
  'a_b',
  'axb',
  'a%b',
  'axxb',
  '*',
  '!',
  '"',
  '/* x */',
  '--',
  '{"a": 1}',
  "it''s",
  '\u{1F600}',
  '\uFFEE',
  'a\u0301',
  '~,()',
  'NULL',
  'pg_sleep(10)',
];

/** Random valid searches over these records, in all three languages. */
export function searches(
  fields: readonly SearchField[],
  records: readonly SearchedRecord[],
): fc.Arbitrary<GeneratedSearch> {
  const leaf = leaves(fields, records);
  const sqlLeaf = leaf.filter(({ op }) => !op.endsWith('contains'));
  const tree = fc.letrec<{ any: Tree }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      { weight: 2, arbitrary: sqlLeaf },
      { weight: 1, arbitrary: some(tie('any'), 2, 3).map((all) => ({ all })) },
      { weight: 1, arbitrary: some(tie('any'), 2, 3).map((any) => ({ any })) },
    ),
  })).any;
  const style = fc.nat();
  const means = (meant: Tree) => ({
    holds: (record: SearchedRecord) => fits(meant, record),
    mentions: (field: string) => mentionsField(meant, field),
  });
  return fc.oneof(
    fc.tuple(some(leaf, 1, 4), style).map(([all, seed]) => ({
      query: { search: asSearch(all, dice(seed)) },
      ...means({ all }),
    })),
    fc.tuple(some(leaf, 1, 4), style).map(([all, seed]) => ({
      query: grouped(all.map((one) => asCondition(one, dice(seed)))),
      conditions: true,
      ...means({ all }),
    })),
    fc.tuple(tree, style).map(([meant, seed]) => ({
      query: {},
      body: { search: asSqlLike(meant, dice(seed)) },
      ...means(meant),
    })),
  );
}

/** Single conditions that are valid. */
export function leaves(
  fields: readonly SearchField[],
  records: readonly SearchedRecord[],
): fc.Arbitrary<Leaf> {
  return fc.constantFrom(...fields).chain(({ name, type }) => {
    const value = values(
      type,
      records.map((record) => record[name]),
    );
    return fc.constantFrom(...OPERATORS[type]).chain((op): fc.Arbitrary<Leaf> => {
      if (op.endsWith('like'))
        return patterns(fc.oneof(value as fc.Arbitrary<string>, TRICKY)).map((pattern) => ({
          name,
          type,
          op,
          values: [],
          pattern,
        }));
      const list = /in$|contains$/.test(op);
      const [least, most] = op.endsWith('between') ? [2, 2] : list ? [1, 4] : [1, 1];
      return some(value, least, most).map((all) => ({ name, type, op, values: all }));
    });
  });
}

/** Mostly values that some record has, so that something is found. */
function values(type: SearchType, given: unknown[]): fc.Arbitrary<string | number | boolean> {
  const known = given.flat().filter((one) => one !== undefined && one !== null);
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.constantFrom(...(known as number[]), 0, 1),
        fc.integer({ min: -5, max: 2_147_483_647 }),
      );
    case 'number':
      return fc.oneof(fc.constantFrom(...(known as number[]), 0.5), fc.constantFrom(-1.25, 1e6));
    case 'timestamp':
      return fc.constantFrom(...(known as string[]), '2026-01-01T00:00:00.000Z').chain(times);
    default:
      return fc
        .oneof(
          { weight: 4, arbitrary: fc.constantFrom(...(known as string[]), 'a') },
          { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
          { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }) },
        )
        .filter((text) => isWritable(text));
  }
}

/** What a condition can hold: not empty, not blank at its ends, no NUL, no half character. */
const isWritable = (text: string) =>
  text !== '' && text.trim() === text && !text.includes('\0') && text.isWellFormed();

/** A time of a record, whole or cut short, in another zone or without one. */
function times(iso: string): fc.Arbitrary<string> {
  const local = (minutes: number) =>
    new Date(Date.parse(iso) + minutes * 60_000).toISOString().slice(0, -1);
  return fc.constantFrom(
    iso,
    iso.slice(0, 4),
    iso.slice(0, 7),
    iso.slice(0, 10),
    iso.slice(0, 13),
    iso.slice(0, 16),
    iso.slice(0, 19),
    iso.slice(0, -1),
    `${local(330)}+05:30`,
    `${local(-480).slice(0, 16)}-08:00`,
  );
}

/** Texts with what means something to a pattern in another language. */
const TRICKY = fc.constantFrom('a_b', 'a%b', 'a*b', 'a!b', '\\', '%', '_');

/** A text with some of it replaced by wildcards. */
const patterns = (text: fc.Arbitrary<string>): fc.Arbitrary<PatternPart[]> =>
  fc
    .tuple(text, fc.nat(), fc.nat(), fc.constantFrom('any', 'one', 'both'))
    .map(([all, a, b, how]) => {
      const chars = [...all];
      const [from, to] = [a % (chars.length + 1), b % (chars.length + 1)].sort((x, y) => x - y);
      const middle: PatternPart[] =
        how === 'one'
          ? chars.slice(from, to).map(() => ({ wild: 'one' }) as const)
          : how === 'any'
            ? [{ wild: 'any' }]
            : [{ wild: 'any' }, { wild: 'one' }];
      const ends = [chars.slice(0, from).join(''), chars.slice(to).join('')];
      const parts = [ends[0]!, ...middle, ends[1]!].filter((part) => part !== '');
      return fixed(parts);
    });

/** Blanks at the ends of a pattern are not written: they would be cut off. */
function fixed(parts: PatternPart[]): PatternPart[] {
  const found = [...parts];
  for (const at of [0, found.length - 1])
    if (typeof found[at] === 'string' && found[at].trim() !== found[at])
      found[at] = { wild: 'any' };
  return found.length ? found : [{ wild: 'any' }];
}

const some = <T>(of: fc.Arbitrary<T>, minLength: number, maxLength: number) =>
  fc.array(of, { minLength, maxLength });

function grouped(pairs: [string, string][]): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const known = found[name];
    found[name] = known === undefined ? value : [known, value].flat();
  }
  return found;
}
