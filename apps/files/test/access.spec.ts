import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { World } from './world';

describe('who may do what', () => {
  let world: World;
  let root: string;
  let id: string;
  let count = 0;
  const owner = 'testuser1';
  const guest = 'testuser2';
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world?.close());
  beforeEach(() => {
    id = `p${++count}`;
    root = world.system(id, owner, { readers: [guest] }).rootDir;
    mkdirSync(join(root, 'd/e'), { recursive: true });
    writeFileSync(join(root, 'd/e/f'), 'content');
    writeFileSync(join(root, 'secret'), 'secret');
  });
  const list = async (user: string, path = '') =>
    (await world.get(`/v3/files/ops/${id}${path}`, user)).status;
  const put = async (user: string, path: string) =>
    (await world.upload(`/v3/files/ops/${id}${path}`, 'x', user)).status;
  const perms = (method: string, path: string, user: string, body?: object, query = '') =>
    world.ask(method, `/v3/files/perms/${id}${path}${query}`, user, body);

  it('nobody but the owner, unless told', async () => {
    expect(await list(owner)).toBe(200);
    expect(await list(guest)).toBe(403);
    expect(await list('testuser3')).toBe(404);
    expect(await put(guest, '/x')).toBe(403);
    world.double.security.makeAdmin('dev', 'testuser4');
    expect(await list('testuser4')).toBe(404);
    expect(
      (await world.get(`/v3/files/ops/${id}`, owner, world.double.as(owner, 'other'))).status,
    ).toBe(404);
  });

  it('permissions reach down, not sideways; MODIFY means READ too', async () => {
    const granted = await perms('POST', '/d/e', owner, { username: guest, permission: 'READ' });
    expect(granted.body.result).toEqual({
      tenantId: 'dev',
      username: guest,
      systemId: id,
      path: '/d/e',
      permission: 'READ',
    });
    expect([
      await list(guest, '/d/e'),
      await list(guest, '/d/e/f'),
      await list(guest, '/d'),
      await list(guest),
    ]).toEqual([200, 200, 403, 403]);
    expect(await list(guest, '/d/e/../../secret')).toBe(403);
    expect(await put(guest, '/d/e/new')).toBe(403);
    await perms('POST', '/d', owner, { username: guest, permission: 'MODIFY' });
    expect([
      await list(guest, '/d'),
      await put(guest, '/d/e/new'),
      await put(guest, '/de'),
    ]).toEqual([200, 200, 403]);
    expect((await perms('GET', '/d', guest)).body.result.permission).toBe('MODIFY');
    expect((await perms('GET', '/', guest)).body.result.permission).toBeNull();
    expect(
      (await perms('GET', '/d', owner, undefined, `?username=${guest}`)).body.result.permission,
    ).toBe('MODIFY');
    expect((await perms('GET', '/d', guest, undefined, `?username=${owner}`)).status).toBe(403);
    expect((await perms('DELETE', '/d', owner, undefined, `?username=${guest}`)).status).toBe(200);
    expect([await list(guest, '/d'), await list(guest, '/d/e')]).toEqual([403, 200]);
    expect(
      (await perms('POST', '/d', guest, { username: guest, permission: 'MODIFY' })).status,
    ).toBe(403);
    for (const body of [
      {},
      { username: guest },
      { username: guest, permission: 'ALL' },
      { username: '', permission: 'READ' },
    ]) {
      expect((await perms('POST', '/d', owner, body)).status).toBe(400);
    }
    expect((await perms('DELETE', '/d', owner)).status).toBe(400);
  });

  it('permissions go with what is moved and end with what is deleted', async () => {
    await perms('POST', '/d/e', owner, { username: guest, permission: 'READ' });
    expect((await world.ask('DELETE', `/v3/files/ops/${id}/d/e`, owner)).status).toBe(200);
    mkdirSync(join(root, 'd/e'));
    expect(await list(guest, '/d/e')).toBe(403);
  });

  it('a shared path lets in by reading only, without a right on the system', async () => {
    const share = (action: string, path: string, body?: object, user = owner) =>
      world.ask('POST', `/v3/files/${action}/${id}${path}`, user, body);
    expect((await share('share', '/d', { users: ['testuser3'] })).status).toBe(200);
    expect([
      await list('testuser3', '/d/e'),
      await list('testuser3'),
      await put('testuser3', '/d/x'),
    ]).toEqual([200, 404, 404]);
    const info = await world.get(`/v3/files/share/${id}/d/e`, 'testuser3');
    expect(info.body.result).toEqual({
      isPublic: false,
      isPublicPath: null,
      userSet: ['testuser3'],
      userShareInfoSet: [{ username: 'testuser3', path: '/d', grantor: owner }],
    });
    await share('unshare', '/d', { users: ['testuser3'] });
    expect(await list('testuser3', '/d/e')).toBe(404);
    await share('share_public', '/d/e');
    expect([await list('testuser5', '/d/e/f'), await list(guest, '/d')]).toEqual([200, 403]);
    expect((await world.get(`/v3/files/share/${id}/d/e`)).body.result).toMatchObject({
      isPublic: true,
      isPublicPath: '/d/e',
    });
    await share('unshare_public', '/d/e');
    await share('share', '/d/e', { users: [guest, 'testuser3'] });
    await share('unshare_all', '/d');
    expect(await list(guest, '/d/e')).toBe(200);
    expect(
      (await world.ask('POST', `/v3/files/unshare_all/${id}/d?recurse=true`, owner)).status,
    ).toBe(200);
    expect([await list(guest, '/d/e'), await list('testuser3', '/d/e')]).toEqual([403, 404]);
    expect((await share('share', '/d', { users: [guest] }, guest)).status).toBe(403);
    for (const body of [{}, { users: [] }, { users: [''] }, { users: ['~public'] }]) {
      expect((await share('share', '/d', body)).status).toBe(400);
    }
  });

  it('a shared system opens its paths for reading, a dynamic one for all', async () => {
    const share = {
      tenant: 'dev',
      grantor: owner,
      grantee: guest,
      resourceType: 'system',
      resourceId1: id,
      privilege: 'READ',
    };
    await world.ask('GET', '/v3/files/healthcheck');
    world.double.security.shares.push({
      ...share,
      resourceId2: null,
      id: 900 + count,
      created: '',
      createdBy: 'systems',
      createdByTenant: 'admin',
    });
    expect([await list(guest), await put(guest, '/x')]).toEqual([200, 403]);
    const dynamic = `${id}dyn`;
    world.system(dynamic, owner, { readers: [guest], more: { isDynamicEffectiveUser: true } });
    world.double.security.shares.push({
      ...share,
      resourceId1: dynamic,
      resourceId2: null,
      id: 950 + count,
      created: '',
      createdBy: 'systems',
      createdByTenant: 'admin',
    });
    expect((await world.upload(`/v3/files/ops/${dynamic}/x`, 'x', guest)).status).toBe(200);
  });

  it('links lead out of the root for the owner alone', async () => {
    symlinkSync('/etc', join(root, 'd/etc'));
    symlinkSync('../secret', join(root, 'd/inner'));
    await perms('POST', '/d', owner, { username: guest, permission: 'MODIFY' });
    expect(await list(owner, '/d/etc')).toBe(200);
    expect(await list(guest, '/d/etc')).toBe(403);
    expect((await world.get(`/v3/files/content/${id}/d/etc/passwd`, guest)).body.message).toMatch(
      /^FILES_PATH_OUTSIDE_ROOT /,
    );
    expect(await put(guest, '/d/etc/pwned')).toBe(403);
    expect(await list(guest, '/d/inner')).toBe(200);
    expect((await world.get(`/v3/files/content/${id}/d?zip=true`, guest)).status).toBe(403);
  });

  it('only services name contexts and other people', async () => {
    for (const query of ['sharedCtx=testuser1', 'impersonationId=testuser1']) {
      const status = (await world.get(`/v3/files/ops/${id}?${query}`, guest)).status;
      expect(status).toBe(403);
    }
    const as = (service: string, query: string) =>
      world.ask(
        'GET',
        `/v3/files/ops/${id}?${query}`,
        guest,
        undefined,
        world.double.asService(service, guest),
      );
    expect((await as('jobs', '')).status).toBe(403);
    expect((await as('jobs', `sharedCtx=${owner}`)).status).toBe(200);
    expect((await as('jobs', `impersonationId=${owner}`)).status).toBe(200);
    expect((await as('apps', `impersonationId=${owner}`)).status).toBe(403);
  });

  it('transfers ask for the same rights', async () => {
    const post = (sourceURI: string, destinationURI: string, user = guest, more: object = {}) =>
      world.ask('POST', '/v3/files/transfers', user, {
        elements: [{ sourceURI, destinationURI, ...more }],
      });
    world.system(`${id}own`, guest);
    const [theirs, own] = [`svc://${id}`, `svc://${id}own`];
    expect((await post(`${theirs}/d`, `${own}/d`)).status).toBe(403);
    await perms('POST', '/d', owner, { username: guest, permission: 'READ' });
    expect((await post(`${theirs}/d`, `${own}/d`)).status).toBe(201);
    expect((await post(`${own}/d`, `${theirs}/d`)).status).toBe(403);
    expect((await post(`${theirs}/d`, `${own}/d`, 'testuser3')).status).toBe(404);
    expect((await post(`${theirs}/d`, `${own}/d`, guest, { srcSharedCtx: owner })).status).toBe(
      403,
    );
    const bad = [
      ['', own],
      ['x', own],
      [theirs, 'http://h/x'],
      ['ftp://h/x', own],
      [`${theirs}/a%0ab`, own],
      [`${theirs}/%zz`, own],
      ['svc:///x', own],
    ];
    for (const [source, destination] of bad)
      expect((await post(source!, destination!)).status).toBe(400);
    expect((await world.ask('POST', '/v3/files/transfers', guest, { elements: [] })).status).toBe(
      400,
    );
    const several = await world.ask('POST', '/v3/files/transfers', guest, {
      elements: [
        { sourceURI: 'x', destinationURI: own },
        { sourceURI: own, destinationURI: 'y' },
      ],
    });
    expect(several.body.message).toMatch(/elements\[0\].*elements\[1\]/);
    const made = await post(`${theirs}/d`, `${own}/d`);
    const { uuid } = made.body.result;
    expect((await world.get(`/v3/files/transfers/${uuid}`, owner)).status).toBe(404);
    expect((await world.ask('DELETE', `/v3/files/transfers/${uuid}`, owner)).status).toBe(404);
    expect((await world.get('/v3/files/transfers/nonsense', guest)).status).toBe(400);
    expect((await world.get('/v3/files/tranfers?limit=1', guest)).body.result).toHaveLength(1);
    expect((await world.get('/v3/files/tranfers', 'testuser9')).body.result).toEqual([]);
  });

  it('says what is wrong with a system or its host', async () => {
    let tries = 0;
    const answer = async (more: Record<string, unknown>) => {
      const bad = `${id}x${++tries}`;
      world.system(bad, owner, { more });
      const { status, body } = await world.get(`/v3/files/ops/${bad}`);
      expect(body.message).toContain(bad);
      return [status, body.message.split(' ')[0]];
    };
    expect(await answer({ enabled: false })).toEqual([404, 'FILES_SYS_NOTENABLED']);
    expect(await answer({ authnCredential: null })).toEqual([403, 'FILES_CREDENTIAL_MISSING']);
    expect(
      await answer({ authnCredential: { authnMethod: 'PASSWORD', password: 'wrong' } }),
    ).toEqual([403, 'FILES_LOGIN_REFUSED']);
    expect(await answer({ port: 1 })).toEqual([502, 'FILES_HOST_UNREACHABLE']);
    expect(await answer({ hostKeys: ['SHA256:another'] })).toEqual([403, 'HOST_KEY_CHANGED']);
    expect(await answer({ systemType: 'S3' })).toEqual([501, 'FILES_OPS_UNSUPPORTED']);
    expect((await world.get('/v3/files/ops/none')).body.message).toMatch(/^FILES_SYS_NOTFOUND /);
  });

  it('pins the key of a host that nobody has pinned', async () => {
    const pinned: unknown[] = [];
    world.double.serve('POST', '/v3/systems/:id/hostKey', ({ params, body }) => {
      pinned.push([params['id'], body]);
      return null;
    });
    world.system(`${id}new`, owner, {
      more: {
        hostKeys: [],
        authnCredential: {
          authnMethod: 'PKI_KEYS',
          privateKey: world.server.privateKey.trim().replaceAll('\n', '\r\n'),
        },
      },
    });
    expect((await world.get(`/v3/files/ops/${id}new`)).status).toBe(200);
    expect(pinned).toEqual([[`${id}new`, { fingerprint: world.server.hostKey }]]);
  });
});
