import { linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown, user = 'testuser1') =>
  service.send(method, path, body, service.as(user));
const status = async (...call: Parameters<typeof send>) => (await send(...call)).status;

describe('permissions', () => {
  const perms = (id: string, user: string, more = '') => `/perms/${id}/user/${user}${more}`;
  const names = async (id: string, user: string, asker?: string) =>
    (await send('GET', perms(id, user), undefined, asker)).body.result.names;

  it('open the system to those who are granted them, and close it again', async () => {
    await service.made(linux('granted'));
    expect(await names('granted', 'testuser2')).toEqual([]);
    expect(await names('granted', 'testuser1')).toEqual(['READ', 'MODIFY', 'EXECUTE']);
    expect(await status('GET', '/granted', undefined, 'testuser2')).toBe(404);
    const granted = await send('POST', perms('granted', 'testuser2'), { permissions: ['modify'] });
    expect([granted.status, granted.body.result]).toEqual([200, null]);
    expect(await names('granted', 'testuser2')).toEqual(['READ', 'MODIFY']);
    expect(await names('granted', 'testuser2', 'testuser2')).toEqual(['READ', 'MODIFY']);
    expect(await status('PATCH', '/granted', { description: 'x' }, 'testuser2')).toBe(200);
    expect(await status('POST', '/granted/disable', undefined, 'testuser2')).toBe(403);
    // READ takes MODIFY along
    await send('POST', perms('granted', 'testuser2', '/revoke'), { permissions: ['READ'] });
    expect(await names('granted', 'testuser2')).toEqual([]);
    expect(await status('GET', '/granted', undefined, 'testuser2')).toBe(404);
  });

  it('are granted by owner and admin only, and given back by who has them', async () => {
    await service.made(linux('guarded'));
    const all = { permissions: ['*'] };
    expect(await status('POST', perms('guarded', 'testuser2'), all, 'testuser2')).toBe(404);
    expect(await status('POST', perms('guarded', 'testuser2'), all, 'boss')).toBe(200);
    expect(await names('guarded', 'testuser2')).toEqual(['READ', 'MODIFY', 'EXECUTE']);
    expect(await status('POST', perms('guarded', 'testuser3'), all, 'testuser2')).toBe(403);
    expect(
      await status('DELETE', perms('guarded', 'testuser1', '/READ'), undefined, 'testuser2'),
    ).toBe(403);
    const back = (right: string) =>
      status('DELETE', perms('guarded', 'testuser2', `/${right}`), undefined, 'testuser2');
    expect([await back('read'), await back('EXECUTE'), await back('READ')]).toEqual([
      200, 200, 404,
    ]);
  });

  it('are granted to users, not to everybody or to roles', async () => {
    await service.made(linux('users-only'));
    const body = { permissions: ['READ'] };
    for (const user of ['~public', '$role', 'a%20b'])
      expect([user, await status('POST', perms('users-only', user), body)]).toEqual([user, 400]);
  });

  it('are named rightly and kept in the history', async () => {
    await service.made(linux('named'));
    for (const body of [
      { permissions: [] },
      { permissions: ['WRITE'] },
      { permissions: 'READ' },
      { permissions: ['READ'], more: 1 },
      {},
    ])
      expect(await status('POST', perms('named', 'testuser2'), body)).toBe(400);
    expect(await status('DELETE', perms('named', 'testuser2', '/WRITE'))).toBe(400);
    expect(await status('GET', perms('nowhere', 'testuser2'))).toBe(404);
    await send('POST', perms('named', 'testuser1'), { permissions: ['EXECUTE', 'READ'] });
    const [, line] = await service.result('/named/history');
    expect(line).toMatchObject({
      operation: 'grantPerms',
      oboUser: 'testuser1',
      description: {
        System: 'named',
        TargetUser: 'testuser1',
        Permissions: ['EXECUTE', 'READ'],
      },
    });
  });
});

describe('shares', () => {
  it('lend reading and executing to the named users', async () => {
    await service.made(linux('lent'));
    const etag = (await send('GET', '/lent')).headers['etag'];
    expect((await send('POST', '/share/lent', { users: ['testuser2', 'testuser3'] })).body).toEqual(
      expect.objectContaining({ status: 'success', result: null }),
    );
    const seen = await send('GET', '/lent', undefined, 'testuser2');
    expect(seen.status).toBe(200);
    expect(seen.headers['etag']).not.toBe(etag);
    expect(seen.body.result).toMatchObject({
      isPublic: false,
      sharedWithUsers: ['testuser2', 'testuser3'],
    });
    expect(await status('PATCH', '/lent', { description: 'x' }, 'testuser2')).toBe(403);
    expect(await status('POST', '/share/lent', { users: ['testuser4'] }, 'testuser2')).toBe(403);
    expect(await status('GET', '/perms/lent/user/testuser3', undefined, 'testuser2')).toBe(403);
    const info = (await send('GET', '/share/lent', undefined, 'testuser2')).body.result;
    expect(info).toMatchObject({ public: false, userList: ['testuser2', 'testuser3'] });
    expect(info.shareRecords).toHaveLength(4);
    expect(info.shareRecords[0]).toMatchObject({
      tenant: 'dev',
      grantor: 'testuser1',
      grantee: 'testuser2',
      resourceType: 'system',
      resourceId1: 'lent',
      privilege: 'READ',
    });
    const listed = async (type: string) =>
      (await service.result(`?listType=${type}`, 'testuser2')).map((s: { id: string }) => s.id);
    expect(await listed('SHARED_DIRECT')).toEqual(['lent']);
    expect(await listed('OWNED')).toEqual([]);
    // whoever shared it: the admin takes back what the owner gave
    expect(await status('POST', '/unshare/lent', { users: ['testuser2'] }, 'boss')).toBe(200);
    expect(await status('GET', '/lent', undefined, 'testuser2')).toBe(404);
    expect((await service.result('/lent')).sharedWithUsers).toEqual(['testuser3']);
  });

  it('open the system to everybody of the tenant, and to nobody else', async () => {
    await service.made(linux('open'));
    expect(await status('POST', '/share_public/open', undefined, 'testuser2')).toBe(404);
    expect(await status('POST', '/share_public/open')).toBe(200);
    expect((await service.result('/open', 'testuser5')).isPublic).toBe(true);
    expect((await service.result('/share/open')).public).toBe(true);
    const stranger = service.asService('jobs', 'testuser5');
    stranger['X-Svc-Tenant'] = 'other';
    expect((await service.send('GET', '/open', undefined, stranger)).status).toBe(404);
    expect(await status('POST', '/unshare_public/open')).toBe(200);
    expect(await status('GET', '/open', undefined, 'testuser5')).toBe(404);
    expect((await service.result('/open')).isPublic).toBe(false);
  });

  it('name users, at least one', async () => {
    await service.made(linux('picky'));
    for (const users of [[], ['~public'], ['$x'], ['a b'], [''], 'testuser2', [1], undefined])
      expect(await status('POST', '/share/picky', { users })).toBe(400);
    expect(await status('POST', '/share/nowhere', { users: ['testuser2'] })).toBe(404);
  });

  it('show what holds after changes at once', async () => {
    await service.made(linux('busy'));
    const users = Array.from({ length: 6 }, (_, i) => `testuser${i + 2}`);
    await Promise.all(users.map((user) => send('POST', '/share/busy', { users: [user] })));
    expect((await service.result('/busy')).sharedWithUsers).toEqual(users);
  });

  it('end with the system', async () => {
    await service.made(linux('ended'));
    await send('POST', '/share/ended', { users: ['testuser2'] });
    await send('POST', '/ended/delete');
    expect(await status('GET', '/share/ended')).toBe(404);
    // left over from a deletion that was cut off
    service.double.security.grant('dev', 'testuser3', 'system:dev:READ:ended');
    await send('POST', '/ended/undelete');
    expect(await service.result('/share/ended')).toMatchObject({ userList: [], shareRecords: [] });
    expect((await service.result('/ended')).sharedWithUsers).toEqual([]);
    expect(await status('GET', '/ended', undefined, 'testuser3')).toBe(404);
  });
});
