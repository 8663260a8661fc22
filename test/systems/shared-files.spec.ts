import { flow, PlatformProcess, type Session, TestHost } from '@libs/flows';
import { end } from '../fixtures/end';

describe('what sharing a system means for its files', () => {
  let platform: PlatformProcess;
  let host: TestHost;
  let guest: Session;

  beforeAll(async () => {
    host = await TestHost.start();
    platform = await PlatformProcess.start();
    guest = await platform.as('testuser2');
  });
  afterAll(() => end(platform, [host]));

  /** A guest may log in with a credential of their own. */
  const registered = async (system: string) => {
    const { publicKey, privateKey, user } = host.server;
    const path = `/v3/systems/credential/${system}/user/testuser2`;
    return guest.call('POST', path, {
      body: JSON.stringify({ publicKey, privateKey, loginUser: user }),
      headers: { 'content-type': 'application/json' },
    });
  };
  const write = (system: string) =>
    guest.send('POST', `/v3/files/ops/${system}`, { path: 'made-by-guest' });

  it('a dynamic one: its paths may be changed, each with their own login', async () => {
    const { given, me } = flow(platform);
    const owner = await me();
    const { user: loginUser, publicKey, privateKey } = host.server;
    const system = await given.system({
      host,
      effectiveUserId: '${apiUserId}',
      authnCredential: undefined,
    });
    await owner.ask('POST', `/v3/systems/credential/${system}/user/testuser1`, {
      publicKey,
      privateKey,
      loginUser,
    });
    await given.file(system, 'file.txt', 'content');
    expect((await registered(system)).status).toBe(404);
    expect((await write(system)).status).toBe(404);
    await owner.ask('POST', `/v3/systems/share/${system}`, { users: ['testuser2'] });
    expect((await registered(system)).status).toBe(200);
    expect((await guest.ask('GET', `/v3/systems/${system}`)).effectiveUserId).toBe(loginUser);
    expect((await guest.call('GET', `/v3/files/content/${system}/file.txt`)).text).toBe('content');
    expect((await write(system)).status).toBe(200);
  });

  it('a static one: its paths may be read, and changed only if they are shared themselves', async () => {
    const { given, me } = flow(platform);
    const owner = await me();
    const system = await given.system({ host });
    await given.file(system, 'file.txt', 'content');
    await owner.ask('POST', `/v3/systems/share/${system}`, { users: ['testuser2'] });
    expect((await guest.call('GET', `/v3/files/content/${system}/file.txt`)).text).toBe('content');
    expect((await write(system)).status).toBe(403);
  });

  it('a child of it is a system of its own for files too', async () => {
    const { given, me } = flow(platform);
    const owner = await me();
    const system = await given.system({ host, allowChildren: true });
    await owner.ask('POST', `/v3/systems/share/${system}`, { users: ['testuser2'] });
    const child = `${system}-testuser2`;
    const rootDir = `${host.rootDir}/guest`;
    const made = await guest.send('POST', `/v3/systems/${system}/createChildSystem`, { rootDir });
    expect([made.status, made.message]).toEqual([201, expect.any(String)]);
    const { user, publicKey, privateKey } = host.server;
    await guest.ask('POST', `/v3/systems/credential/${child}/user/${user}`, {
      publicKey,
      privateKey,
    });
    await owner.ask('POST', `/v3/files/ops/${system}`, { path: 'guest' });
    await guest.ask('POST', `/v3/files/ops/${child}`, { path: 'inside' });
    const listed = await owner.ask('GET', `/v3/files/ops/${system}/guest`);
    expect(listed.map((entry: { name: string }) => entry.name)).toEqual(['inside']);
    expect((await owner.call('GET', `/v3/files/ops/${child}/`)).status).toBe(404);
  });
});

describe('stores that hold no files here yet', () => {
  let platform: PlatformProcess;

  beforeAll(async () => {
    platform = await PlatformProcess.start();
  });
  afterAll(() => end(platform));

  it.each([
    ['S3', { bucketName: 'b', defaultAuthnMethod: 'ACCESS_KEY' }],
    ['IRODS', { rootDir: '/zone', port: 1247, defaultAuthnMethod: 'PASSWORD' }],
    ['GLOBUS', { defaultAuthnMethod: 'TOKEN' }],
  ])('answer 501 by name: %s', async (systemType, more) => {
    const owner = await platform.as('testuser1');
    const id = `store-${systemType.toLowerCase()}`;
    const body = { id, systemType, host: 'store.example.org', canExec: false, ...more };
    await owner.ask('POST', '/v3/systems', body);
    const { status, message } = await owner.call('GET', `/v3/files/ops/${id}/`);
    expect([status, message]).toEqual([501, expect.stringContaining(systemType)]);
  });
});
