import { isApiError } from '@libs/envelope';
import { Attributes, type Attribute } from './attributes';
import { columnsOf, jsonAttribute, snakeCase } from './columns';
import { parseSearch } from './parse-search';
import { ANY, matches, ONE, toLike } from './pattern';
import { resolve } from './resolve';
import { timestampOf } from './timestamp';
import { toPredicate } from './to-predicate';
import { toSql } from './to-sql';
import { mentions } from './where';

const ATTRIBUTES: Attribute[] = [
  { name: 'id', type: 'string', search: true },
  { name: 'execSystemId', type: 'string', search: true },
  { name: 'port', type: 'integer', search: true },
  { name: 'ratio', type: 'number', search: true },
  { name: 'canExec', type: 'boolean', search: true },
  { name: 'created', type: 'timestamp', search: true },
  { name: 'tags', type: 'tags', search: true },
  { name: 'notes', type: 'json', search: true },
  { name: 'secret', type: 'string' },
];
const known = new Attributes(ATTRIBUTES);
const where = (search: string) => resolve(parseSearch(search), known);

const RECORD = {
  id: 'Ab*c',
  execSystemId: null,
  port: 22,
  ratio: 0.5,
  canExec: true,
  created: '2026-03-01T10:20:30.400Z',
  tags: ['x', 'y,z'],
};

describe('a condition', () => {
  it.each([
    ['id.eq.Ab*c', true],
    ['id.eq.ab*c', false],
    ['id.neq.other', true],
    ['id.lt.a', true],
    ['id.gt.B', false],
    ['id.between.Aa,Ac', true],
    ['id.nbetween.Aa,Ac', false],
    ['id.in.x,Ab*c', true],
    ['id.nin.x,y', true],
    ['id.like.A*', true],
    ['id.like.a*', false],
    ['id.like.Ab!c', true],
    ['id.like.Ab\\*c', true],
    ['id.like.Ab\\!c', false],
    ['id.nlike.*%*', true],
    ['port.eq.22', true],
    ['port.lt.100', true],
    ['port.gte.23', false],
    ['port.between.22,22', true],
    ['port.nbetween.23,30', true],
    ['port.in.1,22', true],
    ['port.nin.1,22', false],
    ['ratio.gt.0.25', true],
    ['ratio.lte.5e-1', true],
    ['canExec.eq.TRUE', true],
    ['canExec.neq.true', false],
    ['can_exec.eq.true', true],
    ['CanExec.eq.false', false],
    ['created.gt.2026', true],
    ['created.lt.2026-03', false],
    ['created.gte.2026-03-01T10:20:30.4', true],
    ['created.eq.2026-03-01T11:20:30.400+01:00', true],
    ['created.between.2026-03-01,2026-03-02', true],
    ['created.nbetween.2026-03-01,2026-03-02', false],
    ['tags.contains.x', true],
    ['tags.contains.q,x', true],
    ['tags.contains.y', false],
    ['tags.contains.y\\,z', true],
    ['tags.ncontains.q', true],
    ['tags.in.x', true],
    ['tags.nin.x,q', false],
    ['execSystemId.eq.a', false],
    ['execSystemId.neq.a', false],
    ['exec_system_id.nin.a', false],
    ['execSystemId.nlike.a', false],
    ['execSystemId.nbetween.a,b', false],
    ['(id.like.A*)~(port.eq.22)', true],
    ['(id.like.A*)~(port.eq.23)', false],
  ])('%s is %s', (search, expected) => {
    expect(toPredicate(where(search))(RECORD)).toBe(expected);
  });

  it('orders text by code point, beyond the first plane too', () => {
    expect(toPredicate(where('id.lt.\u{1F600}'))({ id: '\uffee' })).toBe(true);
    expect(toPredicate(where('id.like.!'))({ id: '\u{1F600}' })).toBe(true);
  });

  it.each([
    ['foo.eq.1', 'attribute "foo" is not known (searchable: id, execSystemId, port'],
    ['secret.eq.1', 'attribute "secret" cannot be searched'],
    ['notes.eq.1', 'attribute "notes" cannot be searched'],
    ['id.contains.x', 'contains is not for id, which takes eq, neq'],
    ['port.like.2*', 'like is not for port'],
    ['canExec.lt.true', 'lt is not for canExec, which takes eq, neq'],
    ['canExec.eq.yes', 'canExec takes true or false, not "yes", at character 12 of search'],
    ['created.in.2026', 'in is not for created'],
    ['tags.eq.x', 'eq is not for tags'],
    ['port.eq.1.5', 'port takes a whole number'],
    ['port.eq.99999999999999999999', 'port takes a whole number'],
    ['ratio.eq.1e999', 'ratio takes a number'],
    ['created.gt.20260', 'created takes a time'],
  ])('%s is refused', (search, expected) => {
    expect(() => where(search)).toThrow(expected);
    try {
      where(search);
    } catch (error) {
      expect(isApiError(error, 400)).toBe(true);
    }
  });

  it('can be asked for by attribute', () => {
    expect(mentions(where('(id.eq.a)~(port.eq.1)'), 'port')).toBe(true);
    expect(mentions(where('id.eq.a'), 'port')).toBe(false);
    expect(mentions(undefined, 'port')).toBe(false);
  });
});

describe('a time', () => {
  it.each([
    ['2026', '2026-01-01T00:00:00.000000Z'],
    ['2026Z', '2026-01-01T00:00:00.000000Z'],
    ['2026-05', '2026-05-01T00:00:00.000000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000000Z'],
    ['2026-05-06T07', '2026-05-06T07:00:00.000000Z'],
    ['2026-05-06T07:08', '2026-05-06T07:08:00.000000Z'],
    ['2026-05-06T07:08:09', '2026-05-06T07:08:09.000000Z'],
    ['2026-05-06T07:08:09.12345678', '2026-05-06T07:08:09.123456Z'],
    ['2026-05-06T07:08:09Z', '2026-05-06T07:08:09.000000Z'],
    ['2026-05-06T00:08-06:30', '2026-05-06T06:38:00.000000Z'],
    ['2026-05-06+02:00', '2026-05-05T22:00:00.000000Z'],
    ['0001', '0001-01-01T00:00:00.000000Z'],
  ])('%s is %s', (text, expected) => expect(timestampOf(text)).toBe(expected));

  it.each([
    '',
    '202',
    '20260',
    '0000',
    '2026-1',
    '2026-13',
    '2026-02-30',
    '2026-01-01 00:00',
    '2026-01-01T24',
    '2026-01-01T00:60',
    '2026-01-01T00:00:60',
    '2026-01-01T00:00:00.',
    '2026-01-01T00:00+25:00',
    '2026-01-01T00:00+0100',
    '0001-01-01T00:00+01:00',
    '9999-12-31T23:59-01:00',
    'now',
  ])('%j is none', (text) => expect(timestampOf(text)).toBeUndefined());
});

describe('SQL', () => {
  const columns = columnsOf(ATTRIBUTES, {
    alias: 's',
    overrides: {
      ratio: jsonAttribute('"doc"', "ra'tio", 'number'),
      tags: { sql: '"tags"', tags: 'jsonb' },
    },
  });

  it('binds every value and quotes every column', () => {
    const params: unknown[] = ['tenant'];
    const search =
      "(id.gt.a'b)~(exec_system_id.eq.x)~(port.in.1,2)~(ratio.lt.1)~(id.like.50%*)~(tags.nin.t)~(created.between.2025,2026)";
    expect(toSql(where(search), columns, params)).toBe(
      '("s"."id" COLLATE "C" > $2::text AND "s"."exec_system_id" = $3::text' +
        ' AND "s"."port" = ANY($4::bigint[]) AND ("doc"->>\'ra\'\'tio\')::numeric < $5::numeric' +
        ' AND "s"."id" LIKE $6::text AND NOT ("tags" ?| $7::text[])' +
        ' AND "s"."created" BETWEEN $8::timestamptz AND $9::timestamptz)',
    );
    expect(params).toEqual([
      'tenant',
      "a'b",
      'x',
      [1, 2],
      1,
      '50\\%%',
      ['t'],
      '2025-01-01T00:00:00.000000Z',
      '2026-01-01T00:00:00.000000Z',
    ]);
  });

  it('is TRUE without a condition, and an error without a column', () => {
    expect(toSql(undefined, columns, [])).toBe('TRUE');
    expect(() => toSql(where('id.eq.a'), {}, [])).toThrow('no column for attribute id');
    expect(Object.keys(columns)).not.toContain('secret');
    expect([snakeCase('memoryMB'), snakeCase('sysHPCQueue')]).toEqual([
      'memory_mb',
      'sys_hpc_queue',
    ]);
  });
});

describe('a pattern', () => {
  it.each([
    [[ANY], '', true],
    [[], '', true],
    [[], 'a', false],
    [[ONE], '', false],
    [['a', ANY], 'a', true],
    [[ANY, 'b', ANY, 'c'], 'xbyybzc', true],
    [[ANY, 'ab'], 'aab', true],
    [['a', ANY, ONE], 'a', false],
  ] as const)('%p on %j is %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it('made to be slow is not', () => {
    const pattern = [...Array.from({ length: 30 }, () => [ANY, 'a'] as const).flat(), 'b'];
    expect(matches(pattern, 'a'.repeat(20_000))).toBe(false);
    expect(toLike(['a%_\\', ANY, ONE])).toBe('a\\%\\_\\\\%_');
  });
});
