import { app, AppsService } from './apps-service';

let service: AppsService;
beforeAll(async () => {
  service = await AppsService.start();
  service.double.security.makeAdmin('dev', 'boss');
  for (const [id, owner] of [
    ['own', 'me'],
    ['dead', 'me'],
    ['lent', 'other'],
    ['open', 'other'],
    ['readable', 'other'],
    ['changeable', 'other'],
    ['starred', 'other'],
    ['runnable', 'other'],
    ['hidden', 'other'],
    ['own-open', 'me'],
  ] as const)
    await send('POST', '', app(id), owner);
  await send('POST', '', app('own', '2.0'), 'me');
  await send('POST', '/dead/delete', undefined, 'me');
  await send('POST', '/share/lent', { users: ['me'] }, 'other');
  await send('POST', '/share_public/open', undefined, 'other');
  await send('POST', '/share_public/own-open', undefined, 'me');
  for (const [id, right] of [
    ['readable', 'READ'],
    ['changeable', 'modify'],
    ['starred', '*'],
    ['runnable', 'EXECUTE'],
  ])
    await send('POST', `/perms/${id}/user/me`, { permissions: [right] }, 'other');
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown, user = 'me') =>
  service.send(method, path, body, service.as(user));
const list = async (query: string, user = 'me') => {
  const { status, body } = await send('GET', query, undefined, user);
  return status === 200 ? body.result.map((found: { id: string }) => found.id) : status;
};

const PERMITTED = ['changeable', 'readable', 'starred'];
it.each<[string, string[]]>([
  ['OWNED', ['own', 'own-open']],
  ['owned', ['own', 'own-open']],
  ['SHARED_PUBLIC', ['open', 'own-open']],
  ['SHARED_DIRECT', ['lent']],
  ['READ_PERM', PERMITTED],
  ['MINE', ['lent', 'own', 'own-open']],
  ['ALL', [...PERMITTED, 'lent', 'open', 'own', 'own-open'].sort()],
])('listType %s', async (listType, found) => {
  expect(await list(`?listType=${listType}&orderBy=id`)).toEqual(found);
  expect(await list(`?listType=${listType}&orderBy=id(desc)`)).toEqual([...found].reverse());
  const page = await send(
    'GET',
    `?listType=${listType}&orderBy=id&limit=1&skip=1&computeTotal=TRUE`,
  );
  expect(page.body.result.map((one: { id: string }) => one.id)).toEqual(found.slice(1, 2));
  expect(page.body.metadata).toEqual({
    recordCount: Math.min(1, Math.max(0, found.length - 1)),
    recordLimit: 1,
    recordsSkipped: 1,
    orderBy: 'id',
    startAfter: '',
    totalCount: found.length,
  });
});

it('leads from page to page through what is owned and what is lent', async () => {
  const all = await list('?listType=ALL&orderBy=id');
  const seen: string[] = [];
  for (let after = ''; ;) {
    const page = await list(`?listType=ALL&orderBy=id&limit=2${after && `&startAfter=${after}`}`);
    if (!page.length) break;
    seen.push(...page);
    after = page.at(-1);
  }
  expect(seen).toEqual(all);
});

it('shows deleted ones when asked', async () => {
  expect(await list('?showDeleted=true&orderBy=id')).toEqual(['dead', 'own', 'own-open']);
  const { body } = await send('GET', '?showDeleted=true&search=(deleted.eq.true)&select=deleted');
  expect(body.result).toEqual([{ id: 'dead', deleted: true }]);
});

it('counts and shows for the user whose eyes are used', async () => {
  const { body } = await send('GET', '?impersonationId=me&computeTotal=true', undefined, 'boss');
  expect([body.result.length, body.metadata.totalCount]).toEqual([2, 2]);
  expect(await list('?impersonationId=me', 'other')).toBe(403);
});

it('answers what is selected, as it is', async () => {
  const { body } = await send(
    'GET',
    '?search=(id.eq.own-open)&select=isPublic,sharedWithUsers,locked,no_such',
  );
  expect(body.result).toEqual([
    { id: 'own-open', isPublic: true, sharedWithUsers: [], locked: false },
  ]);
  const all = await send('GET', '?search=(id.eq.lent)&listType=ALL&select=allAttributes');
  expect(all.body.result[0]).toMatchObject({ sharedAppCtx: 'other', sharedWithUsers: ['me'] });
  expect(all.body.result[0].jobAttributes.nodeCount).toBe(1);
});

it('shows every version once a version is asked for, in whichever form', async () => {
  const versions = async (path: string, body?: object) => {
    const answer = await send(body ? 'POST' : 'GET', path, body);
    return answer.body.result.map(({ id, version }: Record<string, string>) => `${id} ${version}`);
  };
  const both = ['own 1.0', 'own 2.0'];
  expect(await versions('?search=(id.eq.own)')).toEqual(['own 2.0']);
  expect(await versions('?orderBy=version&search=(id.eq.own)')).toEqual(['own 2.0']);
  expect(await versions('?search=(id.eq.own)~(version.like.*)')).toEqual(both);
  expect(await versions('/search?id.eq=own&version.neq=9')).toEqual(both);
  expect(await versions('/search', { search: ["id = 'own' AND version > '0'"] })).toEqual(both);
});

it('finds attributes by both spellings', async () => {
  for (const name of ['containerImage', 'container_image', 'ContainerImage'])
    expect(await list(`/search?${name}.like=registry*&orderBy=id`)).toEqual(['own', 'own-open']);
});

it.each([
  '?limit=1&limit=2',
  '?search=(id.eq.a)&search=(id.eq.b)',
  '?listType=ALL&listType=OWNED',
  '?showDeleted=true&showDeleted=false',
  '?impersonationId=me&impersonationId=other',
  '/own?select=id&select=version',
  '/own?requireExecPerm=true&requireExecPerm=false',
  '/own/isEnabled?version=1.0&version=2.0',
])('refuses a parameter that is there twice: %s', async (query) => {
  expect((await send('GET', query)).status).toBe(400);
});

it.each([
  'runtimeOptions',
  'jobAttributes',
  'execSystemConstraints',
  'parameterSet',
  'fileInputs',
  'fileInputArrays',
  'subscriptions',
  'jobTags',
  'notes',
])('%s cannot be searched', async (name) => {
  const { status, body } = await send('GET', `/search?${name}.eq=a`);
  expect([status, body.message]).toEqual([400, expect.stringMatching(/^APPLIB_SEARCH_ERROR /)]);
});

it('shows everything to whom a role lets read everything', async () => {
  service.double.security.grant('dev', 'auditor', 'app:dev:READ:*');
  expect(await list('?listType=READ_PERM&orderBy=id', 'auditor')).toHaveLength(9);
  expect(await list('', 'auditor')).toEqual([]);
});

it('drops grants and shares of what is gone', async () => {
  const { security } = service.double;
  await send('POST', '', app('passing'));
  await send('POST', '/share/passing', { users: ['heir'] });
  const [share] = security.shares.filter(({ resourceId1 }) => resourceId1 === 'passing');
  await send('POST', '/passing/delete');
  // as if the deletion had been cut off before the security kernel heard of it
  security.shares.push({ ...share!, id: 901 });
  security.grant('dev', 'heir', 'app:dev:READ:passing');
  security.grant('dev', 'heir', 'app:dev:READ:never-there');
  expect(await list('?listType=ALL', 'heir')).toEqual(['open', 'own-open']);
  const left = security.shares.filter(({ resourceId1 }) => resourceId1 === 'passing');
  expect([
    left,
    [...security.permissions.values()]
      .flatMap((held) => [...held])
      .filter((p) => /passing|never-there/.test(p)),
  ]).toEqual([[], []]);
  await send('POST', '/passing/undelete');
  expect(await list('?listType=ALL', 'heir')).toEqual(['open', 'own-open']);
});
