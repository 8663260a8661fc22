import { executing, linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
  service.double.security.makeAdmin('dev', 'boss');
  for (const [id, more] of [
    ['s1', { ...executing, tags: ['red', 'blue'], port: 22 }],
    ['s2', { host: 'b.org', tags: ['blue'], port: 2200, description: "it's 100% fine" }],
    ['s3', { host: 'B.org', effectiveUserId: 'runner', canExec: false }],
    ['s4', { host: 'c.org', enabled: false, port: 2201 }],
  ] as const)
    await service.made(linux(id, more));
  await service.made(linux('foreign'), 'testuser2');
  await service.made(linux('open'), 'testuser2');
  await service.made(linux('dead'));
  await service.send('POST', '/dead/delete');
  await service.send('POST', '/credential/s2/user/testuser1?skipCredentialCheck=true', {
    publicKey: 'p',
    privateKey: 'k',
  });
});
afterAll(() => service.stop());

const ids = async (query: string, user = 'testuser1') => {
  const { body } = await service.send('GET', query, undefined, service.as(user));
  return Array.isArray(body.result) ? body.result.map((r: { id: string }) => r.id).sort() : body;
};
const search = (condition: string) => ids(`?search=${encodeURIComponent(condition)}`);
const code = async (query: string) => (await service.send('GET', query)).status;

it('shows summaries of what one owns', async () => {
  const { body } = await service.send('GET', '?orderBy=id');
  expect(body.result.map((r: { id: string }) => r.id)).toEqual(['s1', 's2', 's3', 's4']);
  expect(body.result[0]).toEqual({
    id: 's1',
    systemType: 'LINUX',
    owner: 'testuser1',
    host: 'host.example.org',
    effectiveUserId: 'testuser1',
    defaultAuthnMethod: 'PKI_KEYS',
    canExec: true,
  });
  expect(body.metadata).toEqual({
    recordCount: 4,
    recordLimit: -1,
    recordsSkipped: -1,
    orderBy: 'id',
    startAfter: '',
    totalCount: -1,
  });
});

it('pages', async () => {
  const page = await service.send(
    'GET',
    '?orderBy=id(desc)&limit=2&skip=1&computeTotal=true&select=id',
  );
  expect(page.body.result).toEqual([{ id: 's3' }, { id: 's2' }]);
  expect(page.body.metadata).toMatchObject({
    recordCount: 2,
    recordLimit: 2,
    recordsSkipped: 1,
    totalCount: 4,
  });
  expect(String(page.headers['link'])).toMatch(/rel="next"/);
  expect(await ids('?orderBy=id&startAfter=s2')).toEqual(['s3', 's4']);
  expect(await ids('?orderBy=id(desc)&startAfter=s2')).toEqual(['s1']);
  expect(await ids('?limit=0')).toHaveLength(4);
  const hosts = await service.send('GET', '?orderBy=host,id(desc)&select=host');
  expect(hosts.body.result.map((r: { id: string }) => r.id)).toEqual(['s3', 's2', 's4', 's1']);
});

it.each([
  '?limit=x',
  '?orderBy=nosuch',
  '?orderBy=id(up)',
  '?orderBy=id,',
  '?startAfter=s1',
  '?orderBy=id&startAfter=s1&skip=1',
  '?listType=NONE',
  '?limit=1&limit=2',
  '?search=(nosuch.eq.1)',
  '?search=(port.like.2*)',
  '?search=(port.eq.abc)',
  '?search=(notes.eq.1)',
  '?search=(id.eq.)',
  '?search=((id.eq.1)',
  '/search?nosuch.eq=1',
])('refuses %s', async (query) => {
  expect(await code(query)).toBe(400);
});

it.each<[string, string[]]>([
  ['(id.eq.s1)', ['s1']],
  ['id.neq.s1', ['s2', 's3', 's4']],
  ['(id.in.s1,s3,nosuch)', ['s1', 's3']],
  ['(host.like.*.org)', ['s1', 's2', 's3', 's4']],
  ['(host.like.!.org)', ['s2', 's3', 's4']],
  ['(host.eq.b.org)', ['s2']],
  ['(port.between.22,2200)', ['s1', 's2']],
  ['(port.gt.2200)~(enabled.eq.false)', ['s4']],
  ['(can_exec.eq.TRUE)', ['s1']],
  ['(tags.contains.red,green)', ['s1']],
  ['(tags.ncontains.blue)', ['s3', 's4']],
  ["(description.like.it's 100%*)", ['s2']],
  ['(description.nlike.x*)', ['s2']],
  ['(created.gt.2020)', ['s1', 's2', 's3', 's4']],
  ['(created.lt.2020-01-01T00:00:00Z)', []],
  ["(id.eq.x' OR '1'='1)", []],
])('finds by %s', async (condition, found) => {
  expect(await search(condition)).toEqual(found);
});

it('finds by parameters and by a body', async () => {
  expect(await ids('/search?host.like=*.org&port.gte=2200&orderBy=id')).toEqual(['s2', 's4']);
  const body = { search: ["host LIKE '_.org' AND (port > 2200", "OR effectiveUserId = 'runner')"] };
  const { body: found } = await service.send(
    'POST',
    '/search?computeTotal=true&orderBy=id&limit=1',
    body,
  );
  expect(found.result).toMatchObject([{ id: 's3' }]);
  expect(found.metadata).toMatchObject({ totalCount: 2 });
  for (const bad of [
    {},
    { search: [] },
    { search: ["id = 'a'; DROP TABLE systems"] },
    { search: ['id IS NULL'] },
    { search: ["id = 'a'"], more: 1 },
  ])
    expect((await service.send('POST', '/search', bad)).status).toBe(400);
});

it('shows what others let one see, by the way they do', async () => {
  const { security } = service.double;
  const share = (id: string, grantee: string) =>
    security.shares.push({
      id: 500 + security.shares.length,
      tenant: 'dev',
      grantor: 'testuser2',
      grantee,
      resourceType: 'system',
      resourceId1: id,
      resourceId2: null,
      privilege: 'READ',
      created: '',
      createdBy: 'systems',
      createdByTenant: 'admin',
    });
  share('foreign', 'testuser1');
  share('open', '~public');
  await service.made(linux('granted'), 'testuser3');
  security.grant('dev', 'testuser1', 'system:dev:READ:granted');
  const own = ['s1', 's2', 's3', 's4'];
  expect(await ids('?listType=SHARED_DIRECT')).toEqual(['foreign']);
  expect(await ids('?listType=shared_public')).toEqual(['open']);
  expect(await ids('?listType=READ_PERM')).toEqual(['granted']);
  expect(await ids('?listType=MINE')).toEqual(['foreign', ...own]);
  expect(await ids('?listType=ALL')).toEqual(['foreign', 'granted', 'open', ...own]);
  expect(
    await ids('?listType=ALL&impersonationId=testuser1&computeTotal=true', 'boss'),
  ).toHaveLength(7);
  expect(await ids('')).toEqual(own);
});

it('shows deleted ones when asked, and those with a credential', async () => {
  expect(await ids('?showDeleted=true')).toContain('dead');
  expect(await ids('?hasCredentials=true')).toEqual(['s2']);
  expect(await ids('?hasCredentials=false')).toEqual(['s1', 's3', 's4']);
});

it('judges credentials by the default method and whose they are', async () => {
  expect(await code('?hasCredentials=perhaps')).toBe(400);
  const owner = 'testuser5';
  const listed = (has: boolean, user = owner) => ids(`?hasCredentials=${has}&listType=ALL`, user);
  await service.made(linux('cred-dynamic'), owner);
  await service.made(linux('cred-static', { effectiveUserId: 'runner' }), owner);
  for (const id of ['cred-dynamic', 'cred-static'])
    service.double.security.grant('dev', 'testuser6', `system:dev:READ:${id}`);
  expect(await listed(false)).toEqual(expect.arrayContaining(['cred-dynamic', 'cred-static']));
  const register = (id: string, user: string) =>
    service.send(
      'POST',
      `/credential/${id}/user/${user}?skipCredentialCheck=true`,
      { publicKey: 'p', privateKey: 'k' },
      service.as(owner),
    );
  await register('cred-dynamic', owner);
  await register('cred-static', 'runner');
  expect(await listed(true)).toEqual(['cred-dynamic', 'cred-static']);
  // the login's credential is everybody's, the user's own only theirs
  expect(await listed(true, 'testuser6')).toEqual(['cred-static']);
  const patch = { defaultAuthnMethod: 'PASSWORD' };
  await service.send('PATCH', '/cred-dynamic', patch, service.as(owner));
  expect(await listed(true)).toEqual(['cred-static']);
  await service.send('PATCH', '/cred-static', { effectiveUserId: 'other' }, service.as(owner));
  expect(await listed(true)).toEqual([]);
});

it('shows everything to whom a role lets read everything', async () => {
  service.double.security.grant('dev', 'auditor', 'system:dev:READ:*');
  expect(await ids('?listType=READ_PERM&limit=0', 'auditor')).toEqual(
    expect.arrayContaining(['foreign', 'open', 's1', 's4']),
  );
  expect(await ids('', 'auditor')).toEqual([]);
});

it('drops grants and shares of what is gone', async () => {
  const { security } = service.double;
  security.grant('dev', 'heir', 'system:dev:READ:dead');
  security.grant('dev', 'heir', 'system:dev:MODIFY:never-there');
  expect(await ids('?listType=ALL', 'heir')).toEqual(['open']);
  const left = [...security.permissions.values()].flatMap((held) => [...held]);
  expect(left.filter((permission) => /dead|never-there/.test(permission))).toEqual([]);
  expect(security.shares.some(({ resourceId1 }) => resourceId1 === 'open')).toBe(true);
});

it('finds a user by the login that is shown, and limits by the number that is shown', async () => {
  expect(await search('(effectiveUserId.eq.testuser1)')).toEqual(['s1', 's2', 's4']);
  expect(await search('(effectiveUserId.eq.runner)~(isDynamicEffectiveUser.eq.false)')).toEqual([
    's3',
  ]);
  expect(await search('(jobMaxJobs.eq.2147483647)')).toHaveLength(4);
  expect(await search('(jobMaxJobs.in.-1,5)')).toEqual([]);
  expect(await search('(hasCredentials.eq.true)')).toEqual(['s2']);
});
