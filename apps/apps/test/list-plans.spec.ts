import { Database } from '@libs/database';
import { planOf } from '@libs/kit';
import { listQuery, mentions } from '@libs/search';
import { listSpec } from '../src/domain/list-spec';
import { AppsListStore } from '../src/store/apps-list.store';
import { app, AppsService } from './apps-service';

const MANY = 10_000;
let service: AppsService;
let database: Database;

/** All of them belong to one user, the hardest case: no index leaves anything out. */
beforeAll(async () => {
  service = await AppsService.start();
  database = service.service.get(Database);
  await service.send('POST', '', app('model', '1.0'));
  await database.query(
    `INSERT INTO apps (tenant, id, latest_version, owner, enabled)
     SELECT 'dev', 'bulk-' || lpad(i::text, 6, '0'), '2.0', 'testuser1', true FROM generate_series(1, $1) i`,
    [MANY],
  );
  await database.query(
    `INSERT INTO apps_versions (app_seq_id, tenant, id, owner, enabled, latest, version, version_enabled, locked, tags,
       attributes, created, updated)
     SELECT a.seq_id, a.tenant, a.id, a.owner, true, v = 2, v || '.0', true, false, ARRAY['tag' || a.seq_id % 500],
       m.attributes || jsonb_build_object('description', 'number ' || a.seq_id)
         || jsonb_build_object('jobAttributes', m.attributes->'jobAttributes' || jsonb_build_object('execSystemId', 'exec' || a.seq_id % 500,
           'description', 'jobs of ' || a.seq_id % 500)),
       now() - a.seq_id * interval '1 minute', now() - a.seq_id * interval '1 second'
     FROM apps a, generate_series(1, 2) v, apps_versions m WHERE a.id <> 'model' AND m.id = 'model'`,
  );
  await database.query('VACUUM ANALYZE apps');
  await database.query('VACUUM ANALYZE apps_versions');
});
afterAll(() => service.stop());

const plan = async (raw: Record<string, string>, visible: object, statement: 'page' | 'count') => {
  const query = listQuery(raw, listSpec);
  const sql = service.service.get(AppsListStore).statements(
    'dev',
    {
      showDeleted: false,
      allVersions: mentions(query.where, 'version'),
      ...visible,
    },
    query,
  );
  const params = statement === 'page' ? sql.params : sql.countParams;
  const send = (text: string, values: unknown[]) => database.query(text, values);
  return planOf(send, 'apps_versions', sql[statement], params);
};
const OWNED = { owner: 'testuser1' };
const LENT = {
  ids: Array.from({ length: 50 }, (_, i) => `bulk-${String(i * 7).padStart(6, '0')}`),
};

it.each<[string, Record<string, string>]>([
  ['the first page', {}],
  ['by id', { orderBy: 'id(desc)' }],
  ['by version', { orderBy: 'version', search: '(version.eq.1.0)' }],
  ['by owner', { orderBy: 'owner' }],
  ['by availability', { orderBy: 'enabled(desc)' }],
  ['the newest', { orderBy: 'created(desc)' }],
  ['the last changed', { orderBy: 'updated(desc)' }],
  ['a deep page by id', { orderBy: 'id', startAfter: 'bulk-009000' }],
  ['a deep page by time', { orderBy: 'created', startAfter: '2026-01-01' }],
  ['every version', { search: '(version.like.*)' }],
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
  ['what is out of use', { search: '(enabled.eq.false)' }],
  ['what everybody may use', { search: '(isPublic.eq.true)' }],
  ['what somebody may use', { search: '(sharedWithUsers.contains.guest)' }],
  ['a description of jobs', { search: '(jobDescription.eq.jobs of 77)' }],
  ['one of some descriptions of jobs', { search: '(jobDescription.in.jobs of 77,jobs of 78)' }],
  ['a number', { search: '(uuid.eq.00000000-0000-0000-0000-000000000000)' }],
  ['a tag', { search: '(tags.contains.tag77)' }],
  ['an attribute', { search: '(description.eq.number 77)' }],
  ['an attribute of jobs', { search: '(execSystemId.eq.exec77)' }],
  ['one of some', { search: '(execSystemId.in.exec77,exec78)' }],
  [
    'one of some, newest first',
    { search: '(execSystemId.in.exec77,exec78)', orderBy: 'created(desc)' },
  ],
])('%s is found and counted by an index', async (_, raw) => {
  for (const visible of [OWNED, { ...OWNED, ...LENT }, LENT])
    for (const statement of ['page', 'count'] as const) {
      const { readsAll, text } = await plan(raw, visible, statement);
      expect([readsAll, text]).toEqual([false, text]);
    }
});

it('all of them are counted in an index', async () => {
  const { readsAll, text } = await plan({}, OWNED, 'count');
  expect([readsAll, text]).toEqual([false, text]);
});
