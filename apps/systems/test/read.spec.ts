import { executing, linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
  await service.made(linux('mine', { ...executing, tags: ['t'] }));
  await service.made(linux('static', { effectiveUserId: 'runner' }));
  await service.made(linux('store'));
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

const share = (id: string, grantee: string, privilege: string) =>
  service.double.security.shares.push({
    id: 900 + service.double.security.shares.length,
    tenant: 'dev',
    grantor: 'testuser1',
    grantee,
    resourceType: 'system',
    resourceId1: id,
    resourceId2: null,
    privilege,
    created: '',
    createdBy: 'systems',
    createdByTenant: 'admin',
  });
const status = async (user: string, path: string) =>
  (await service.send('GET', path, undefined, service.as(user))).status;

it('serves its owner without asking any other service', async () => {
  await service.send('GET', '/mine');
  const before = service.double.requests.length;
  const answer = await service.send('GET', '/mine');
  expect(answer.status).toBe(200);
  expect(service.double.requests.slice(before)).toEqual([]);
});

it('is not there for whoever may not see it, in this tenant or another', async () => {
  expect(await status('testuser2', '/mine')).toBe(404);
  expect(await status('testuser2', '/nosuch')).toBe(404);
  const other = await service.send('GET', '/mine', undefined, service.as('testuser1', 'other'));
  expect(other.status).toBe(404);
  expect(other.body).toMatchObject({ status: 'error', result: { name: 'mine' } });
});

it('is seen by administrators, and by whoever a permission or a share lets', async () => {
  expect(await status('boss', '/mine')).toBe(200);
  for (const [user, right] of [
    ['reader', 'READ'],
    ['writer', 'MODIFY'],
    ['all', '*'],
  ] as const)
    service.double.security.grant('dev', user, `system:dev:${right}:mine`);
  service.double.security.grant('dev', 'elsewhere', 'system:dev:READ:static');
  share('mine', 'guest', 'READ');
  for (const user of ['reader', 'writer', 'all', 'guest'])
    expect([user, await status(user, '/mine')]).toEqual([user, 200]);
  expect(await status('elsewhere', '/mine')).toBe(404);
  share('store', '~public', 'READ');
  expect(await status('stranger', '/store')).toBe(200);
});

it('asks for the right to execute only with requireExecPerm', async () => {
  service.double.security.grant('dev', 'runner1', 'system:dev:READ,EXECUTE:mine');
  share('mine', 'guest', 'EXECUTE');
  const exec = '/mine?requireExecPerm=true';
  expect(await status('testuser1', exec)).toBe(200);
  expect(await status('runner1', exec)).toBe(200);
  expect(await status('guest', exec)).toBe(200);
  expect(await status('reader', exec)).toBe(403);
  expect(await status('stranger', exec)).toBe(404);
  const store = await service.send('GET', '/store?requireExecPerm=true');
  expect([store.status, store.body.message]).toEqual([
    403,
    expect.stringMatching(/^SYSLIB_NOTEXEC /),
  ]);
});

it('resolves the effective user for whoever looks', async () => {
  expect(await service.result('/mine', 'reader')).toMatchObject({ effectiveUserId: 'reader' });
  expect(await service.result('/static')).toMatchObject({
    effectiveUserId: 'runner',
    isDynamicEffectiveUser: false,
  });
});

it('selects', async () => {
  expect(await service.result('/mine?select=host,tags')).toEqual({
    id: 'mine',
    host: 'host.example.org',
    tags: ['t'],
  });
  expect(Object.keys(await service.result('/mine?select=summaryAttributes')).sort()).toEqual([
    'canExec',
    'defaultAuthnMethod',
    'effectiveUserId',
    'host',
    'id',
    'owner',
    'systemType',
  ]);
  expect(await service.result('/mine?select=canExec,nosuch')).toEqual({
    id: 'mine',
    canExec: true,
  });
});

it('refuses to everybody else what is for services, and parameters that do not exist', async () => {
  for (const user of ['testuser1', 'boss']) {
    for (const query of ['returnCredentials=true', 'sharedAppCtx=x', 'resourceTenant=dev'])
      expect([user, query, await status(user, `/mine?${query}`)]).toEqual([user, query, 403]);
  }
  expect(await status('testuser1', '/mine?impersonationId=testuser2')).toBe(403);
  expect(await status('boss', '/mine?impersonationId=reader')).toBe(200);
  expect(await status('testuser1', '/mine?requireExecPerm=perhaps')).toBe(400);
  const apps = await service.send(
    'GET',
    '/mine?returnCredentials=true',
    undefined,
    service.asService('apps'),
  );
  expect(apps.status).toBe(403);
});

it('has a tag that changes with it', async () => {
  const first = await service.send('GET', '/static');
  const tag = String(first.headers['etag']);
  const headers = { ...service.as('testuser1'), 'if-none-match': tag };
  expect((await service.send('GET', '/static', undefined, headers)).status).toBe(304);
  await service.send('PATCH', '/static', { description: 'new' });
  expect((await service.send('GET', '/static', undefined, headers)).status).toBe(200);
});

it('says whether it is enabled', async () => {
  expect(await service.result('/static/isEnabled')).toEqual({ aBool: true });
  await service.send('POST', '/static/disable');
  expect(await service.result('/static/isEnabled')).toEqual({ aBool: false });
  expect((await service.result('/static')).enabled).toBe(false);
  expect(await status('stranger', '/mine/isEnabled')).toBe(404);
});

it('is read and executed by a service that speaks for nobody, in its own tenant', async () => {
  const itself = { ...service.asService('notifications', 'notifications') };
  const tenant = Object.keys(itself).find((name) => /tenant/i.test(name))!;
  itself[tenant] = 'admin';
  const admin = service.as('someone', 'admin');
  expect((await service.send('POST', '', linux('site', executing), admin)).status).toBe(201);
  for (const path of ['/site', '/site?requireExecPerm=true', '/perms/site/user/someone'])
    expect([path, (await service.send('GET', path, undefined, itself)).status]).toEqual([
      path,
      200,
    ]);
  const change = await service.send('PATCH', '/site', { description: 'x' }, itself);
  expect(change.status).toBe(403);
  const other = { ...itself, [tenant]: 'dev' };
  expect((await service.send('GET', '/mine', undefined, other)).status).toBe(404);
});

it('is lent by who shared an app, with rights of their own only', async () => {
  const through = async (grantor: string, more = '') =>
    (
      await service.send(
        'GET',
        `/lent?sharedAppCtx=${grantor}${more}`,
        undefined,
        service.asService('jobs', 'testuser9'),
      )
    ).status;
  await service.made(linux('lent', executing));
  service.double.security.grant('dev', 'only-reads', 'system:dev:READ:lent');
  service.double.security.grant('dev', 'runs', 'system:dev:READ,EXECUTE:lent');
  const exec = '&requireExecPerm=true';
  expect([await through('testuser1'), await through('testuser1', exec)]).toEqual([200, 200]);
  expect([await through('runs'), await through('runs', exec)]).toEqual([200, 200]);
  expect([await through('only-reads'), await through('only-reads', exec)]).toEqual([200, 404]);
  expect([await through('boss'), await through('stranger')]).toEqual([404, 404]);
});
