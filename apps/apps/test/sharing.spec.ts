import { app, AppsService } from './apps-service';

let service: AppsService;
beforeAll(async () => {
  service = await AppsService.start();
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown, user = 'testuser1') =>
  service.send(method, path, body, service.as(user));
const status = async (...call: Parameters<typeof send>) => (await send(...call)).status;

it('an app is shared in all its versions, with its owner as context', async () => {
  await send('POST', '', app('lent', '1.0'));
  await send('POST', '', app('lent', '2.0'));
  const etag = (await send('GET', '/lent')).headers['etag'];
  expect(await status('GET', '/lent', undefined, 'testuser2')).toBe(404);
  expect(await status('POST', '/share/lent', { users: ['testuser2'] })).toBe(200);
  for (const version of ['1.0', '2.0'])
    expect(
      (await send('GET', `/lent/${version}?requireExecPerm=true`, undefined, 'testuser2')).body
        .result,
    ).toMatchObject({ sharedAppCtx: 'testuser1', sharedWithUsers: ['testuser2'] });
  expect((await send('GET', '/lent')).headers['etag']).not.toBe(etag);
  expect(await status('PATCH', '/lent/1.0', { description: 'x' }, 'testuser2')).toBe(403);
  expect(await status('POST', '', app('lent', '3.0'), 'testuser2')).toBe(403);
  expect(await status('POST', '/share/lent', { users: ['testuser3'] }, 'testuser2')).toBe(403);
  const { body } = await send('GET', '/share/lent', undefined, 'testuser2');
  expect(body.result).toMatchObject({ public: false, userList: ['testuser2'] });
  expect(await status('POST', '/unshare/lent', { users: ['testuser2'] })).toBe(200);
  expect(await status('GET', '/lent', undefined, 'testuser2')).toBe(404);
});

it('an app is made public and private again', async () => {
  await send('POST', '', app('open'));
  await send('POST', '/share_public/open');
  const ids = async (type: string) =>
    (await send('GET', `?listType=${type}`, undefined, 'testuser2')).body.result.map(
      (found: { id: string }) => found.id,
    );
  expect(await ids('SHARED_PUBLIC')).toEqual(['open']);
  expect((await send('GET', '/open', undefined, 'testuser2')).body.result.isPublic).toBe(true);
  await send('POST', '/unshare_public/open');
  expect(await ids('ALL')).toEqual([]);
});

it('permissions let others change versions and add some; the owner needs none', async () => {
  await send('POST', '', app('granted'));
  const path = '/perms/granted/user/testuser2';
  expect((await send('GET', path)).body.result).toEqual({ names: [] });
  expect(await status('POST', path, { permissions: ['MODIFY'] })).toBe(200);
  expect((await send('GET', path)).body.result).toEqual({ names: ['READ', 'MODIFY'] });
  expect(await status('PATCH', '/granted/1.0', { description: 'x' }, 'testuser2')).toBe(200);
  expect(await status('POST', '', app('granted', '2.0'), 'testuser2')).toBe(201);
  expect(await status('POST', '/granted/disable', undefined, 'testuser2')).toBe(403);
  expect(await status('POST', path, { permissions: ['WRITE'] })).toBe(400);
  const own = await send('POST', '/perms/granted/user/testuser1', { permissions: ['READ'] });
  expect(own.body.message).toMatch(/^APPLIB_PERM_OWNER_UPDATE /);
  expect(await status('DELETE', `${path}/READ`)).toBe(200);
  expect(await status('GET', '/granted', undefined, 'testuser2')).toBe(404);
  const { result } = (await send('GET', '/granted/history')).body;
  expect(result.map((line: { operation: string }) => line.operation)).toEqual([
    'create',
    'grantPerms',
    'modify',
    'create',
    'revokePerms',
  ]);
});

it('permissions and shares are for the tenant of the app', async () => {
  await send('POST', '', app('inside'));
  const foreign = { ...service.as('testuser1'), 'X-Svc-Token': 'none' };
  for (const path of ['/share/inside', '/perms/inside/user/testuser2'])
    expect((await service.send('GET', path, undefined, foreign)).status).toBe(401);
  expect(await status('GET', '/share/nowhere')).toBe(404);
  expect(await status('POST', '/unshare/inside', { users: [] })).toBe(400);
});
