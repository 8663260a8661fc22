import { Database } from '@libs/database';
import { planOf } from '@libs/kit';
import { listQuery } from '@libs/search';
import { listSpec } from '../src/domain/list-spec';
import { SystemsListStore } from '../src/store/systems-list.store';
import { linux, SystemsService } from './systems-service';

const MANY = 20_000;
let service: SystemsService;
let database: Database;

/** All of them belong to one user, the hardest case: no index leaves anything out. */
beforeAll(async () => {
  service = await SystemsService.start();
  database = service.service.get(Database);
  await service.made(linux('model'));
  await database.query(
    `INSERT INTO systems (tenant, id, owner, system_type, host, enabled, tags, attributes, created, updated)
     SELECT tenant, 'bulk-' || lpad(i::text, 6, '0'), owner, system_type, 'h' || i % 500 || '.example.org', true,
       ARRAY['tag' || i % 500], attributes || jsonb_build_object('description', 'number ' || i,
         'effectiveUserId', CASE WHEN i % 2 = 0 THEN 'login' || i % 500 ELSE '\${apiUserId}' END),
       now() - i * interval '1 minute', now() - i * interval '1 second'
     FROM systems, generate_series(1, $1) i WHERE id = 'model'`,
    [MANY],
  );
  await database.query(
    `INSERT INTO systems_cred_info (system_seq_id, svc_user, is_static, login_user, methods, address)
     SELECT seq_id, owner, false, 'mapped', '{PKI_KEYS}', host || ' -1' FROM systems WHERE id LIKE 'bulk-0000_1'`,
  );
  for (const table of ['systems', 'systems_cred_info'])
    await database.query(`VACUUM ANALYZE ${table}`);
});
afterAll(() => service.stop());

const plan = async (raw: Record<string, string>, visible: object, statement: 'page' | 'count') => {
  const hasCredentials = raw['hasCredentials'] ? true : undefined;
  const seen = { showDeleted: false, hasCredentials, ...visible };
  const store = service.service.get(SystemsListStore);
  const sql = store.statements('dev', 'testuser1', seen, listQuery(raw, listSpec));
  const params = statement === 'page' ? sql.params : sql.countParams;
  const send = (text: string, values: unknown[]) => database.query(text, values);
  return planOf(send, 'systems', sql[statement], params);
};
const OWNED = { owner: 'testuser1' };
const LENT = {
  ids: Array.from({ length: 50 }, (_, i) => `bulk-${String(i * 7).padStart(6, '0')}`),
};

it.each<[string, Record<string, string>]>([
  ['the first page', {}],
  ['by id', { orderBy: 'id(desc)' }],
  ['by owner', { orderBy: 'owner' }],
  ['by host', { orderBy: 'host' }],
  ['by type', { orderBy: 'systemType' }],
  ['by type, backwards', { orderBy: 'systemType(desc)' }],
  ['by what it is for', { orderBy: 'canExec(desc)' }],
  ['by method', { orderBy: 'defaultAuthnMethod' }],
  ['by availability', { orderBy: 'enabled' }],
  ['the newest', { orderBy: 'created(desc)' }],
  ['the last changed', { orderBy: 'updated(desc)' }],
  ['a deep page by id', { orderBy: 'id', startAfter: 'bulk-018000' }],
  ['a deep page by host', { orderBy: 'host', startAfter: 'h400' }],
  ['a deep page by time', { orderBy: 'created', startAfter: '2026-01-01' }],
])('%s is read from an index in its order', async (_, raw) => {
  for (const visible of [OWNED, { ...OWNED, ...LENT }, LENT]) {
    const { readsAll, sorted, text } = await plan(raw, visible, 'page');
    expect([readsAll, text]).toEqual([false, text]);
    // a page, and what others let the user see
    expect([sorted <= 500, text]).toEqual([true, text]);
  }
});

it.each<[string, Record<string, string>]>([
  ['one id', { search: '(id.eq.bulk-000077)' }],
  ['the beginning of an id', { search: '(id.like.bulk-00007*)' }],
  ['a host', { search: '(host.eq.h77.example.org)' }],
  ['a tag', { search: '(tags.contains.tag77)' }],
  ['an attribute', { search: '(description.eq.number 77)' }],
  ['one of some', { search: '(description.in.number 77,number 78)' }],
  ['one of some, newest first', { search: '(tags.in.tag77)', orderBy: 'created(desc)' }],
  ['a login', { search: '(effectiveUserId.eq.login76)' }],
  ['a login that the user is mapped to', { search: '(effectiveUserId.in.mapped,other)' }],
  ['a login of nobody', { search: '(effectiveUserId.eq.nobody)' }],
  ['what there is a credential for', { search: '(hasCredentials.eq.true)' }],
  ['what there is a credential for, by parameter', { hasCredentials: 'true' }],
  ['what is out of use', { search: '(enabled.eq.false)' }],
  ['what everybody may use', { search: '(isPublic.eq.true)' }],
  ['what somebody may use', { search: '(sharedWithUsers.contains.guest)' }],
  ['a limit of jobs', { search: '(jobMaxJobs.eq.77)' }],
  ['a number', { search: '(uuid.eq.00000000-0000-0000-0000-000000000000)' }],
  ['the children of a system', { search: '(parentId.eq.model)' }],
])('%s is found and counted by an index', async (_, raw) => {
  for (const visible of [OWNED, { ...OWNED, ...LENT }, LENT])
    for (const statement of ['page', 'count'] as const) {
      const { readsAll, text } = await plan(raw, visible, statement);
      expect([readsAll, text]).toEqual([false, text]);
    }
});

it('a computed attribute is found by its index as it is without', async () => {
  const found = async (search: string) => {
    const { body } = await service.send('GET', `?select=id&limit=0&search=${search}`);
    return body.result.map(({ id }: { id: string }) => id);
  };
  const mapped = Array.from({ length: 10 }, (_, i) => `bulk-0000${i}1`);
  expect(await found('(effectiveUserId.eq.mapped)')).toEqual(mapped);
  expect(await found('(hasCredentials.eq.true)')).toEqual(mapped);
  expect(await found('(effectiveUserId.eq.login76)')).toHaveLength(MANY / 500);
  expect(await found('(effectiveUserId.in.mapped,login76)')).toHaveLength(MANY / 500 + 10);
  // and the model
  expect(await found('(effectiveUserId.eq.testuser1)')).toHaveLength(MANY / 2 - 10 + 1);
  expect(await found('(effectiveUserId.eq.${apiUserId})')).toEqual([]);
});

it('all of them are counted in an index', async () => {
  const { readsAll, text } = await plan({}, OWNED, 'count');
  expect([readsAll, text]).toEqual([false, text]);
});
