import fc from 'fast-check';
import { Client } from 'pg';
import {
  ANY,
  type Attribute,
  columnsOf,
  jsonAttribute,
  listInMemory,
  listQuery,
  listSql,
  type ListSpec,
  ONE,
  type Pattern,
  toPredicate,
  toSql,
  type TypedCondition,
  type Where,
} from '../src';

const ATTRIBUTES: Attribute[] = [
  { name: 'seq', type: 'integer', search: true, sort: true },
  { name: 'name', type: 'string', search: true, sort: true },
  { name: 'host', type: 'string', search: true, sort: true },
  { name: 'port', type: 'integer', search: true, sort: true },
  { name: 'ratio', type: 'number', search: true, sort: true },
  { name: 'canExec', type: 'boolean', search: true, sort: true },
  { name: 'created', type: 'timestamp', search: true, sort: true },
  { name: 'tags', type: 'tags', search: true },
  { name: 'labels', type: 'tags', search: true },
];
const spec: ListSpec = { attributes: ATTRIBUTES, unique: ['seq'] };
const columns = columnsOf(ATTRIBUTES, {
  alias: 't',
  overrides: {
    host: jsonAttribute('t."doc"', 'host'),
    port: jsonAttribute('t."doc"', 'port', 'integer'),
    ratio: { sql: 't."ratio"' },
    labels: { sql: 't."labels"', tags: 'jsonb' },
  },
});

// what differs between languages, wildcards, cases and planes of Unicode
const WORDS = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'Ab',
  'a%b',
  'a_b',
  'a\\b',
  'ä',
  'z',
  'Z',
  '~',
  'a b',
  "it's",
  '\uffee',
  '\u{1F600}',
];
const TIMES = [
  '2024-02-29T00:00:00.000Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '1969-12-31T23:59:59.999Z',
];
const NUMBERS = [-1, 0, 1, 2, 10, 2_147_483_647];
const nth = <T>(list: readonly T[], n: number) => list[n % list.length]!;
const rows = Array.from({ length: 120 }, (_, seq) => ({
  seq,
  name: nth(WORDS, seq),
  host: seq % 5 === 0 ? null : nth(WORDS, seq * 7),
  port: seq % 4 === 0 ? null : nth(NUMBERS, seq),
  ratio: seq % 6 === 0 ? null : nth([0.5, -0.5, 1, 1e6], seq),
  canExec: seq % 7 === 0 ? null : seq % 2 === 0,
  created: seq % 9 === 0 ? null : nth(TIMES, seq),
  tags: seq % 11 === 0 ? null : WORDS.slice(seq % 4, seq % 7),
  labels: seq % 13 === 0 ? null : WORDS.slice(seq % 3, seq % 5),
}));

let client: Client;

beforeAll(async () => {
  client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  await client.query(`CREATE TEMP TABLE things (seq int PRIMARY KEY, name text, doc jsonb,
    ratio double precision, can_exec boolean, created timestamptz, tags text[], labels jsonb)`);
  for (const { seq, name, host, port, ratio, canExec, created, tags, labels } of rows) {
    const doc = JSON.stringify({ host, port });
    await client.query('INSERT INTO things VALUES ($1,$2,$3,$4,$5,$6,$7,$8)', [
      seq,
      name,
      doc,
      ratio,
      canExec,
      created,
      tags,
      labels && JSON.stringify(labels),
    ]);
  }
});
afterAll(() => client.end());

async function found(where: Where | undefined): Promise<number[]> {
  const params: unknown[] = [];
  const condition = toSql(where, columns, params);
  const answer = await client.query<{ seq: number }>(
    `SELECT seq FROM things t WHERE ${condition} ORDER BY seq`,
    params,
  );
  return answer.rows.map(({ seq }) => seq);
}

const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme', maxLength: 3 }));
const text = word.filter((one) => !one.includes('\0') && one.isWellFormed());
const literal = text.filter((one) => one !== '');
const pattern: fc.Arbitrary<Pattern> = fc
  .array(fc.oneof(literal, fc.constantFrom(ANY, ONE)), { maxLength: 4 })
  .map((parts) =>
    parts.filter((p, i) => typeof p !== 'string' || typeof parts[i - 1] !== 'string'),
  );

const VALUES: Record<string, fc.Arbitrary<string | number | boolean>> = {
  string: text,
  tags: text,
  integer: fc.oneof(fc.constantFrom(...NUMBERS), fc.integer(), fc.maxSafeInteger()),
  number: fc.constantFrom(0.5, -0.5, 1, 0, 1e300, 1e-300),
  boolean: fc.boolean(),
  timestamp: fc.constantFrom(
    ...TIMES.map((time) => time.replace('Z', '000Z')),
    '0001-01-01T00:00:00.000000Z',
    '9999-12-31T23:59:59.999999Z',
  ),
};
const COMPARE = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'between', 'nbetween'];
const OPERATORS: Record<string, string[]> = {
  string: [...COMPARE, 'in', 'nin', 'like', 'nlike'],
  integer: [...COMPARE, 'in', 'nin'],
  number: [...COMPARE, 'in', 'nin'],
  boolean: ['eq', 'neq'],
  timestamp: COMPARE,
  tags: ['contains', 'ncontains', 'in', 'nin'],
};

const condition: fc.Arbitrary<TypedCondition> = fc
  .constantFrom(...ATTRIBUTES)
  .chain(({ name: attribute, type }) =>
    fc.constantFrom(...OPERATORS[type]!).chain((op) => {
      const base = { attribute, type, op: op as TypedCondition['op'] };
      if (op.endsWith('like'))
        return pattern.map((parts) => ({ ...base, values: [], pattern: parts }));
      const list = op.endsWith('in') || op.endsWith('contains');
      const [minLength, maxLength] = op.endsWith('between') ? [2, 2] : list ? [1, 4] : [1, 1];
      return fc
        .array(VALUES[type]!, { minLength, maxLength })
        .map((values) => ({ ...base, values }));
    }),
  );
const where = fc.letrec<{ any: Where }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    condition,
    fc.array(tie('any'), { minLength: 2, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('any'), { minLength: 2, maxLength: 3 }).map((or) => ({ or })),
  ),
})).any;

it('finds by SQL what the predicate finds, for any condition', async () => {
  await fc.assert(
    fc.asyncProperty(where, async (tree) => {
      const holds = toPredicate(tree);
      const expected = rows.filter((row) => holds(row)).map(({ seq }) => seq);
      expect(await found(tree)).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});

it.each([
  ["name = 'x'' OR ''1''=''1' OR host LIKE '%'';--'"],
  ["name IN ('\\', '$1', '\"', ''';DROP TABLE things;--')"],
])('keeps %s a value', async (search) => {
  const query = listQuery({ limit: '0' }, spec, { body: { search: [search] } });
  const holds = toPredicate(query.where);
  expect(await found(query.where)).toEqual(rows.filter((row) => holds(row)).map(({ seq }) => seq));
});

it('pages and sorts as the list in memory does', async () => {
  const keys = ['seq', 'name', 'host', 'port', 'ratio', 'canExec', 'created'];
  const after: Record<string, string> = {
    name: 'Z',
    host: 'a',
    port: '1',
    created: '2026',
    seq: '50',
  };
  const request = fc.record({
    orders: fc.uniqueArray(fc.tuple(fc.constantFrom(...keys), fc.constantFrom('asc', 'desc')), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    }),
    limit: fc.constantFrom('0', '1', '7', '1000'),
    skip: fc.constantFrom('0', '3', '200'),
    keyset: fc.boolean(),
    search: fc.constantFrom('', 'canExec.eq.true', '(name.like.a*)~(port.gte.0)'),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ orders, limit, skip, keyset, search }) => {
      const orderBy = orders.map(([name, direction]) => `${name}(${direction})`).join(',');
      const start = after[orders[0]![0]];
      const paging = keyset && start ? { startAfter: start } : { skip };
      const query = listQuery({ orderBy, limit, search, ...paging }, spec);
      const params: unknown[] = [];
      const sql = listSql(query, columns, params);
      const read = await client.query<{ seq: number }>(
        `SELECT seq FROM things t WHERE ${sql.where} AND ${sql.after} ${sql.orderBy} ${sql.page}`,
        params,
      );
      const count = await client.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM things t WHERE ${sql.where}`,
        sql.countParams,
      );
      const { page, total } = listInMemory(query, rows);
      expect(read.rows.map(({ seq }) => seq)).toEqual(page.map(({ seq }) => seq));
      expect(count.rows[0]!.total).toBe(total);
    }),
    { numRuns: 150 },
  );
});
