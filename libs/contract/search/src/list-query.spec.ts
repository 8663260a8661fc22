import { isApiError, pageOf, type ApiError, type BadInput } from '@libs/envelope';
import type { Attribute } from './attributes';
import { columnsOf } from './columns';
import { listInMemory } from './list-in-memory';
import { listMetadata } from './list-metadata';
import { listQuery, type ListSpec } from './list-query';
import { listSql } from './list-sql';
import { parseSelect, pick } from './select';

const attributes: Attribute[] = [
  { name: 'id', type: 'string', search: true, sort: true, summary: true },
  { name: 'version', type: 'string', search: true, sort: true, summary: true },
  { name: 'host', type: 'string', search: true, sort: true },
  { name: 'port', type: 'integer', search: true, sort: true },
  { name: 'created', type: 'timestamp', search: true, sort: true },
  { name: 'tags', type: 'tags', search: true, sort: true },
  { name: 'notes', type: 'json' },
];
const spec: ListSpec = {
  attributes,
  unique: ['id', 'version'],
  listTypes: ['OWNED', 'SHARED_PUBLIC', 'ALL'],
  extra: ['showDeleted'],
  codes: { search: 'SYSLIB_SEARCH_ERROR', listType: 'SYSLIB_LISTTYPE_ERROR' },
};
const key = (attribute: string, descending = false, type = 'string') => ({
  attribute,
  type,
  descending,
});

function refusal(run: () => unknown): ApiError & BadInput {
  try {
    run();
  } catch (error) {
    if (isApiError(error, 400)) return error as BadInput;
    throw error;
  }
  throw new Error('was not refused');
}

describe('a list query', () => {
  it('has defaults', () => {
    expect(listQuery({}, spec)).toEqual({
      select: ['id', 'version'],
      orderBy: [key('id'), key('version')],
      keyed: false,
      limit: 100,
      skip: 0,
      startAfter: undefined,
      computeTotal: false,
      listType: 'OWNED',
      where: undefined,
      given: {},
    });
  });

  it('reads every parameter', () => {
    const query = listQuery(
      {
        select: 'summaryAttributes, host,nope',
        search: '(host.eq.h)',
        orderBy: 'port(DESC), id',
        limit: '5',
        startAfter: '22',
        computeTotal: 'True',
        listType: 'shared_public',
        showDeleted: 'true',
        pretty: 'true',
      },
      spec,
    );
    expect(query).toMatchObject({
      select: ['id', 'version', 'host'],
      orderBy: [key('port', true, 'integer'), key('id'), key('version')],
      limit: 5,
      startAfter: 22,
      computeTotal: true,
      listType: 'SHARED_PUBLIC',
      where: { attribute: 'host', op: 'eq', values: ['h'] },
    });
    expect(listMetadata(query, 3, 17)).toEqual({
      recordCount: 3,
      recordLimit: 5,
      recordsSkipped: -1,
      orderBy: 'port(DESC), id',
      startAfter: '22',
      totalCount: 17,
    });
    expect(listMetadata(listQuery({}, spec), 3, 17)).toEqual({
      recordCount: 3,
      recordLimit: -1,
      recordsSkipped: -1,
      orderBy: '',
      startAfter: '',
      totalCount: -1,
    });
  });

  it('knows whether the last record of a page leads to the next', () => {
    const keyed = (orderBy: string, unique: string[]) =>
      listQuery({ orderBy }, { ...spec, unique }).keyed;
    expect(keyed('id(desc),port', ['id'])).toBe(true);
    expect(keyed('port,id', ['id'])).toBe(false);
    expect(keyed('id', ['id', 'version'])).toBe(false);
    const query = listQuery({ skip: '-3' }, spec);
    expect(listMetadata(query, 0).recordsSkipped).toBe(0);
    expect(pageOf(listMetadata(query, 0))).toEqual({ limit: 100, keyed: false });
  });

  it.each([
    [{ limit: '0' }, { limit: undefined }],
    [{ limit: '-1' }, { limit: undefined }],
    [{ skip: '-3' }, { skip: 0 }],
    [{ skip: '7' }, { skip: 7 }],
    [{ skip: '0', startAfter: 'a', orderBy: 'id' }, { startAfter: 'a' }],
    [{ computeTotal: 'maybe' }, { computeTotal: false }],
    [{ select: '', orderBy: '', startAfter: '', search: '' }, { select: ['id', 'version'] }],
    [{ select: 'allAttributes' }, { select: attributes.map(({ name }) => name) }],
    [{ startAfter: '2026', orderBy: 'created' }, { startAfter: '2026-01-01T00:00:00.000000Z' }],
    [{ orderBy: 'id(desc),id(asc)' }, { orderBy: [key('id', true), key('version', true)] }],
    [
      { orderBy: 'port,host(desc)' },
      {
        orderBy: [
          key('port', false, 'integer'),
          key('host', true),
          key('id', true),
          key('version', true),
        ],
      },
    ],
  ])('%j', (raw, expected) => expect(listQuery(raw, spec)).toMatchObject(expected));

  it.each([
    [{ limit: 'x' }, 'limit must be a whole number, not "x"'],
    [{ limit: '1.5' }, 'limit must be a whole number'],
    [{ limit: '' }, 'limit must be a whole number'],
    [{ skip: 'x' }, 'skip must be a whole number'],
    [{ startAfter: 'a' }, 'startAfter needs orderBy'],
    [{ startAfter: 'a', orderBy: 'id', skip: '1' }, 'startAfter and skip exclude each other'],
    [{ startAfter: 'a', orderBy: 'port' }, 'port takes a whole number, not "a", at startAfter'],
    [{ startAfter: '\0', orderBy: 'id' }, 'NUL is not allowed'],
    [{ orderBy: 'nope' }, 'orderBy cannot use "nope" (it takes: id, version, host, port, created)'],
    [{ orderBy: 'tags' }, 'orderBy cannot use "tags"'],
    [{ orderBy: 'id(up)' }, 'orderBy has the direction "up"'],
    [{ orderBy: 'id,,port' }, 'orderBy has an empty element'],
    [{ orderBy: 'id(asc' }, 'orderBy has "id(asc" where'],
    [{ listType: 'MINE' }, 'listType "MINE" is not one of OWNED, SHARED_PUBLIC, ALL'],
    [{ limit: ['1', '2'] }, 'parameter "limit" is there twice'],
    [{ select: { a: 'b' } }, 'parameter "select" must be plain text'],
    [{ ordeBy: 'id' }, '"ordeBy" is not a parameter of this list'],
  ])('%j is refused', (raw, expected) => {
    expect(refusal(() => listQuery(raw, spec)).message).toContain(expected);
  });

  it('tells all that is wrong at once, with the code of the first', () => {
    const error = refusal(() =>
      listQuery({ listType: 'x', search: 'foo.eq.1', computeTotal: 'x' }, spec),
    );
    expect(error.code).toBe('SYSLIB_LISTTYPE_ERROR');
    expect(error.violations).toHaveLength(2);
    expect(refusal(() => listQuery({ search: 'x' }, spec)).code).toBe('SYSLIB_SEARCH_ERROR');
    expect(refusal(() => listQuery({ limit: 'x', foo: '' }, spec)).code).toMatch(/^SVC_INVALID/);
  });

  it('takes conditions from parameters and bodies', () => {
    const params = new URLSearchParams('id.like=a*&id.neq=ab&limit=3');
    expect(listQuery(params, spec, { conditions: true }).where).toMatchObject({
      and: [{ op: 'like' }, { op: 'neq' }],
    });
    const repeated = listQuery({ 'id.neq': ['a', 'b'] }, spec, { conditions: true });
    expect(repeated.where).toMatchObject({ and: [{ values: ['a'] }, { values: ['b'] }] });
    const body = { search: ["id = 'a' OR", "id = 'b'"] };
    expect(listQuery({}, spec, { body }).where).toMatchObject({ or: [{}, {}] });
    expect(
      listQuery({ host: 'h' }, { ...spec, bareEquals: true }, { conditions: true }).where,
    ).toEqual({ attribute: 'host', type: 'string', op: 'eq', values: ['h'] });
  });

  it.each([
    [null, 'the body must be an object'],
    [[], 'the body must be an object'],
    [{}, 'search must be an array of at least one string'],
    [{ search: [] }, 'search must be an array'],
    [{ search: 'x' }, 'search must be an array'],
    [{ search: [1] }, 'search must be an array'],
    [{ search: ["id = 'a'"], limit: 1 }, 'unknown properties: "limit"'],
  ])('the body %j is refused', (body, expected) => {
    const error = refusal(() => listQuery({}, spec, { body }));
    expect([error.code, error.message]).toEqual([
      'SYSLIB_SEARCH_ERROR',
      expect.stringContaining(expected),
    ]);
  });

  it('obeys what differs between lists', () => {
    const jobs: ListSpec = {
      attributes,
      unique: ['id'],
      order: 'created(desc)',
      maxLimit: 1000,
      select: { unknown: 'refuse', always: ['id'], fallback: 'all' },
    };
    expect(listQuery({ limit: '-1', listType: 'x' }, jobs)).toMatchObject({
      limit: 1000,
      listType: undefined,
      orderBy: [key('created', true, 'timestamp'), key('id', true)],
      select: attributes.map(({ name }) => name),
    });
    expect(refusal(() => listQuery({ select: 'id,nope' }, jobs)).message).toContain(
      'select has "nope", which is not an attribute (there are: id, version',
    );
    expect(refusal(() => listQuery({ startAfter: '2026' }, jobs)).message).toContain(
      'needs orderBy',
    );
  });
});

describe('select', () => {
  it('keeps the record’s order and its own types', () => {
    const select = parseSelect('port,on_off,tags', { attributes });
    expect(select).toEqual(['id', 'port', 'tags']);
    expect(pick(select, { tags: [], port: 1, host: 'h', id: 'a' })).toEqual({
      tags: [],
      port: 1,
      id: 'a',
    });
  });
});

describe('the statement of a list', () => {
  const columns = columnsOf(attributes);

  it('has the pieces for reading and for counting', () => {
    const query = listQuery(
      { search: 'host.eq.h', orderBy: 'port(desc),id', startAfter: '5', limit: '10' },
      spec,
    );
    const params: unknown[] = ['dev'];
    expect(listSql(query, columns, params)).toEqual({
      where: '"host" = $2::text',
      after: '"port" < $3::bigint',
      orderBy: 'ORDER BY "port" DESC, "id" COLLATE "C", "version" COLLATE "C"',
      enough: 'LIMIT $4::bigint',
      page: 'LIMIT $4::bigint',
      countParams: ['dev', 'h'],
    });
    expect(params).toEqual(['dev', 'h', 5, 10]);
  });

  it('has no page when unlimited', () => {
    const { after, where, page } = listSql(listQuery({ limit: '0' }, spec), columns, []);
    expect([after, where, page]).toEqual(['TRUE', 'TRUE', '']);
    const skipping = listSql(listQuery({ limit: '0', skip: '4' }, spec), columns, []);
    expect(skipping.page).toBe('OFFSET $1::bigint');
  });
});

describe('a list in memory', () => {
  const rows = [
    { id: 'c', version: '1', port: 2 },
    { id: 'a', version: '2', port: 1 },
    { id: 'a', version: '1', port: 1 },
    { id: 'b', version: '1', port: null },
  ];
  const ids = (raw: object) => {
    const { page, total } = listInMemory(listQuery(raw, spec), rows);
    return [page.map(({ id, version }) => id + version).join(), total];
  };

  it.each([
    [{}, 'a1,a2,b1,c1', 4],
    [{ orderBy: 'port' }, 'a1,a2,c1,b1', 4],
    [{ orderBy: 'port(desc)' }, 'b1,c1,a2,a1', 4],
    [{ orderBy: 'port', startAfter: '1' }, 'c1', 4],
    [{ orderBy: 'id(desc)', startAfter: 'c' }, 'b1,a2,a1', 4],
    [{ skip: '1', limit: '2' }, 'a2,b1', 4],
    [{ search: 'port.eq.1', limit: '1' }, 'a1', 2],
  ])('%j', (raw, expected, total) => expect(ids(raw)).toEqual([expected, total]));
});
