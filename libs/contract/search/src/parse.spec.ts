import fc from 'fast-check';
import { isApiError } from '@libs/envelope';
import { parseSearchParams } from './parse-params';
import { parseSearch } from './parse-search';
import { parseSqlLike } from './parse-sql-like';
import { ANY, ONE, type Pattern } from './pattern';
import { allOf, anyOf, type Condition, mapTree, OPERATORS, type SearchTree } from './where';

type Bare = Omit<Condition, 'where'>;
const bare = (tree: SearchTree | undefined) =>
  tree && mapTree<Condition, Bare>(tree, ({ where: _, ...rest }) => rest);
const one = (attribute: string, op: Bare['op'], ...values: string[]): Bare => ({
  attribute,
  op,
  values,
});
const like = (attribute: string, op: Bare['op'], ...pattern: Pattern): Bare => ({
  attribute,
  op,
  values: [],
  pattern,
});

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isApiError(error, 400)) return error.message;
    throw error;
  }
  throw new Error('was not refused');
}

describe('search=(attribute.operator.value)~...', () => {
  it.each(['', ' ', '()', '~', '( )~()', '~~'])('%j is no condition', (text) => {
    expect(parseSearch(text)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['id.eq.a', one('id', 'eq', 'a')],
    ['(id.eq.a)', one('id', 'eq', 'a')],
    [' ( id.EQ. a b ) ', one('id', 'eq', 'a b')],
    ['(host.eq.a.b.c)', one('host', 'eq', 'a.b.c')],
    ['(id.eq.a)~(on.neq.true)', { and: [one('id', 'eq', 'a'), one('on', 'neq', 'true')] }],
    ['(id.eq.a)~()~', one('id', 'eq', 'a')],
    ['(id.eq.\\(a\\)\\~\\,b)', one('id', 'eq', '(a)~,b')],
    ['(id.eq.a\\b\\\\c\\*)', one('id', 'eq', 'a\\b\\c\\*')],
    ['(id.in.a, b\\,c ,d)', one('id', 'in', 'a', 'b,c', 'd')],
    ['(n.between.1,2)', one('n', 'between', '1', '2')],
    ['(id.like.a*b!c)', like('id', 'like', 'a', ANY, 'b', ONE, 'c')],
    ['(id.nlike.\\*a\\!\\,%_)', like('id', 'nlike', '*a!,%_')],
    ['(id.eq.*)', one('id', 'eq', '*')],
  ])('%j', (text, tree) => {
    expect(bare(parseSearch(text))).toEqual(tree);
  });

  it.each([
    ['(id.eq.)', 'id.eq has an empty value, at character 8 of search'],
    ['(id.in.a,,b)', 'id.in has an empty value'],
    ['(id.eq.a,b)', '"," in a value needs a backslash before it, at character 9'],
    ['(id.eq.a(b)', '"(" in a value needs a backslash before it, at character 9'],
    ['(id.eq.a', '"(" without its ")", at character 1 of search'],
    ['(id.eq.a\\)', '"(" without its ")", at character 1'],
    ['(id.eq.a))', 'must be in parentheses, at character 10'],
    ['id.eq.a~b', '"~" in a value needs a backslash before it, at character 8'],
    ['(id.eq.a)(id.eq.b)', '"~" is missing between two conditions, at character 10'],
    ['(id.eq.a)~id.eq.b', 'must be in parentheses, at character 11'],
    ['(id)', 'a condition must be attribute.operator.value, at character 2'],
    ['(id.is.a)', '"is" is not an operator; there are eq, neq'],
    ['(1d.eq.a)', '"1d" is not the name of an attribute'],
    ['(n.between.1)', 'n.between needs exactly two values, not 1'],
    ['(n.nbetween.1,2,3)', 'n.nbetween needs exactly two values, not 3'],
    ['(id.eq.\0)', 'NUL is not allowed, at character 8'],
    [`(id.eq.${'a'.repeat(9000)})`, 'search is longer than 8192 characters'],
  ])('%j is refused', (text, expected) => {
    expect(refusal(() => parseSearch(text))).toContain(expected);
  });
});

describe('attribute.operator=value parameters', () => {
  it('are joined by and, may repeat, and have the same escapes', () => {
    const tree = parseSearchParams([
      ['id.like', 'a*'],
      ['id.eq', 'x\\,y'],
      ['id.eq', ' z '],
    ]);
    expect(bare(tree)).toEqual({
      and: [like('id', 'like', 'a', ANY), one('id', 'eq', 'x,y'), one('id', 'eq', 'z')],
    });
    expect(parseSearchParams([])).toBeUndefined();
    const equal = parseSearchParams([['id', 'a']], { bareEquals: true });
    expect(bare(equal)).toEqual(one('id', 'eq', 'a'));
  });

  it.each([
    [['id', 'a'], '"id" is neither a parameter of this request nor attribute.operator'],
    [['id.eq.x', 'a'], 'is neither a parameter'],
    [['id.foo', 'a'], '"foo" is not an operator'],
    [['id.eq', '(a)'], '"(" in a value needs a backslash before it, at character 1 of parameter'],
    [['id.eq', ''], 'id.eq has an empty value, at parameter "id.eq"'],
    [['.eq', 'a'], '"" is not the name'],
    [['id.eq', 'a'.repeat(9000)], 'longer than'],
  ] as [[string, string], string][])('%j is refused', (param, expected) => {
    expect(refusal(() => parseSearchParams([param]))).toContain(expected);
  });
});

describe('SQL-like strings', () => {
  it.each<[string, unknown]>([
    ["id = 'it''s'", one('id', 'eq', "it's")],
    ['n<>-1.5e3', one('n', 'neq', '-1.5e3')],
    ['on = TRUE', one('on', 'eq', 'TRUE')],
    ["id LIKE 'a%b_\\%'", like('id', 'like', 'a', ANY, 'b', ONE, '%')],
    ["id not like '*!'", like('id', 'nlike', '*!')],
    ["id NLIKE ''", like('id', 'nlike')],
    [
      "n BETWEEN 1 AND 2 AND id = 'a'",
      { and: [one('n', 'between', '1', '2'), one('id', 'eq', 'a')] },
    ],
    ["n NOT BETWEEN '1' AND '2'", one('n', 'nbetween', '1', '2')],
    ["id in ('a','b')", one('id', 'in', 'a', 'b')],
    ["id NIN ('a')", one('id', 'nin', 'a')],
    ["id NOT IN('a')", one('id', 'nin', 'a')],
    [
      "a='1' OR b='2' AND c='3'",
      { or: [one('a', 'eq', '1'), { and: [one('b', 'eq', '2'), one('c', 'eq', '3')] }] },
    ],
    [
      "(a='1' OR b='2') AND c='3'",
      { and: [{ or: [one('a', 'eq', '1'), one('b', 'eq', '2')] }, one('c', 'eq', '3')] },
    ],
    [
      "a='1' AND (b='2' AND ((c='3')))",
      { and: ['1', '2', '3'].map((v, i) => one('abc'[i]!, 'eq', v)) },
    ],
    ["/* x */ a -- y\n >= /* ' */ 1", one('a', 'gte', '1')],
  ])('%j', (text, tree) => {
    expect(bare(parseSqlLike([text]))).toEqual(tree);
  });

  it('are joined by blanks', () => {
    expect(bare(parseSqlLike(["a = '1'", 'AND', "b = '2'"]))).toEqual({
      and: [one('a', 'eq', '1'), one('b', 'eq', '2')],
    });
  });

  it.each([
    ['', 'has no condition'],
    ['-- only', 'has no condition'],
    ['a', 'expected an operator: = <> < <= > >= LIKE BETWEEN IN, found the end, at character 2'],
    ['a = ', 'expected a value'],
    ['a = b', 'expected a value: a text in single quotes, a number, TRUE or FALSE, found "b"'],
    ['a = 1 + 2', '"+" has no meaning here, at character 7'],
    ['a = 1 +2', 'expected AND, OR or the end, found "+2"'],
    ["a = 'x", 'a text without its closing quote, at character 5'],
    ['a IS NULL', 'expected an operator'],
    ['a IS NOT NULL', 'expected an operator'],
    ["NOT (a = '1')", 'NOT may only stand before LIKE, BETWEEN and IN, at character 1'],
    ["not a = '1'", 'NOT may only stand before'],
    ["a NOT = '1'", 'expected LIKE, BETWEEN or IN'],
    ["a NOT NLIKE '1'", 'expected LIKE, BETWEEN or IN'],
    ["a LIKE 'x' ESCAPE '!'", 'ESCAPE is not supported'],
    ['a LIKE 5', 'expected a text in single quotes'],
    ["upper(a) = 'X'", 'expected an operator'],
    ['a IN (SELECT b)', 'expected a value'],
    ['a IN ()', 'expected a value'],
    ['a IN (1', 'expected "," or the ")" of a list'],
    ['a BETWEEN 1 OR 2', 'expected the AND of BETWEEN'],
    ['(a = 1', 'expected the ")" of character 1 of search, found the end'],
    ['a = 1)', 'expected AND, OR or the end, found ")"'],
    ['a = 1 b = 2', 'expected AND, OR or the end'],
    ["'a' = a", 'expected an attribute'],
    ['and = 1', 'expected an attribute'],
    ["a = '1'; DROP TABLE x", '";" has no meaning here'],
    ['a = "1"', 'has no meaning here'],
    ['a = 1 /* open', 'has no meaning here, at character 7'],
    ['a.b = 1', '"." has no meaning here'],
    ["a = 'x\0'", 'NUL is not allowed'],
    ["a = '\ud800'", 'broken character'],
    ['('.repeat(51) + 'a = 1' + ')'.repeat(51), 'nested deeper than 50, at character 51'],
  ])('%j is refused', (text, expected) => {
    expect(refusal(() => parseSqlLike([text]))).toContain(expected);
  });
});

const KEYWORDS = ['and', 'or', 'not', 'is', 'null', 'escape', 'true', 'false', ...OPERATORS];
const attribute = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/)
  .filter((name) => !KEYWORDS.includes(name.toLowerCase()) && !/^n(like|between|in)$/i.test(name));
/** Anything that may be searched for, with a liking for the characters that mean something. */
const value = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...`\\~,()*!%_'. a"-/;`), minLength: 1, maxLength: 12 }),
  )
  .map((text) => text.replaceAll('\0', ''))
  .filter((text) => text.isWellFormed() && text.trim() === text && text !== '');
const pattern = fc
  .array(fc.oneof(value, fc.constantFrom(ANY, ONE)), { minLength: 1, maxLength: 5 })
  .map((parts) =>
    parts.filter((part, i) => typeof part !== 'string' || typeof parts[i - 1] !== 'string'),
  )
  .filter((parts) =>
    parts.every((part, i) => typeof part !== 'string' || typeof parts[i - 1] !== 'string'),
  );

const leaf = (operators: readonly Bare['op'][]) =>
  fc.tuple(attribute, fc.constantFrom(...operators)).chain(([name, op]) => {
    if (op.endsWith('like')) return pattern.map((parts) => like(name, op, ...parts));
    const range = op.endsWith('between');
    const list = range || op.endsWith('in') || op.endsWith('contains');
    const size = range ? 2 : 1;
    const values = fc.array(value, { minLength: size, maxLength: range ? 2 : list ? 4 : 1 });
    return values.map((all) => one(name, op, ...all));
  });

type BareTree = Bare | { and: readonly BareTree[] } | { or: readonly BareTree[] };
const sqlOperators = OPERATORS.filter((op) => !op.endsWith('contains'));
const tree = fc.letrec<{ any: BareTree }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf(sqlOperators),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((all) => allOf<Bare>(all)!),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((all) => anyOf<Bare>(all)!),
  ),
})).any;

const escaped = (text: string) => text.replace(/[~,()\\]/g, '\\$&');
const wild = (parts: Pattern, any: string, single: string, literal: (text: string) => string) =>
  parts.map((p) => (p === ANY ? any : p === ONE ? single : literal(p as string))).join('');

function valueText({ values, pattern: parts }: Bare): string {
  if (!parts) return values.map(escaped).join(',');
  return wild(parts, '*', '!', (text) => text.replace(/[~,()\\*!]/g, '\\$&'));
}

const SYMBOL: Record<string, string> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

function sqlText(node: BareTree): string {
  if ('and' in node)
    return node.and.map((n) => ('or' in n ? `(${sqlText(n)})` : sqlText(n))).join(' AND ');
  if ('or' in node)
    return node.or.map((n) => ('and' in n ? `(${sqlText(n)})` : sqlText(n))).join(' or ');
  const { attribute: name, op, values, pattern: parts } = node;
  const plain = op.startsWith('n') && op !== 'neq' ? `NOT ${op.slice(1)}` : op;
  if (parts) {
    return `${name} ${plain} ${literal(wild(parts, '%', '_', (text) => text.replace(/[\\%_]/g, '\\$&')))}`;
  }
  if (op.endsWith('between')) return `${name} ${plain} ${values.map(literal).join(' AND ')}`;
  if (op.endsWith('in')) return `${name} ${plain}(${values.map(literal).join(',')})`;
  return `${name}${SYMBOL[op]}${values.map(literal).join()}`;
}

describe('what is written is what is read', () => {
  it('in parentheses', () => {
    fc.assert(
      fc.property(fc.array(leaf(OPERATORS), { minLength: 1, maxLength: 5 }), (all) => {
        const text = all.map((c) => `(${c.attribute}.${c.op}.${valueText(c)})`).join('~');
        expect(bare(parseSearch(text))).toEqual(allOf<Bare>(all));
      }),
    );
  });

  it('in parameters', () => {
    fc.assert(
      fc.property(fc.array(leaf(OPERATORS), { minLength: 1, maxLength: 5 }), (all) => {
        const params = all.map((c) => [`${c.attribute}.${c.op}`, valueText(c)] as const);
        expect(bare(parseSearchParams(params))).toEqual(allOf<Bare>(all));
      }),
    );
  });

  it('in SQL-like strings', () => {
    fc.assert(
      fc.property(tree, (all) => {
        const text = sqlText(all);
        fc.pre(text.length < 8192);
        expect(bare(parseSqlLike([text]))).toEqual(all);
      }),
    );
  });

  it('and any other text ends in 400, never otherwise', () => {
    const soup = fc.string({
      unit: fc.constantFrom(...`()~,.\\'"=<>%*! \n-/a1`, 'eq', 'and', 'or', 'in', 'not', 'like'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (text) => {
        for (const run of [
          () => parseSearch(text),
          () => parseSqlLike([text]),
          () => parseSearchParams([['a.in', text]]),
        ]) {
          try {
            run();
          } catch (error) {
            expect(isApiError(error, 400)).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
