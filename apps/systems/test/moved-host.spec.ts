import { SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

/** The same server by another name: a login there works. */
const MOVED = { host: 'localhost' };

const send = (method: string, path: string, body?: unknown, user = 'testuser1') =>
  service.send(method, path, body, service.as(user));
const login = (id: string, user = service.host.user) => `/credential/${id}/user/${user}`;
const asFiles = async (id: string, user = 'testuser1') =>
  (
    await service.send(
      'GET',
      `/${id}?returnCredentials=true`,
      undefined,
      service.asService('files', user),
    )
  ).body.result.authnCredential;

async function shared(id: string, more: object = { authnCredential: service.keys }): Promise<void> {
  await service.made(service.onHost(id, more));
  service.double.security.grant('dev', 'helper', `system:dev:MODIFY:${id}`);
}

it('who merely holds MODIFY may name another host, but takes no credential there', async () => {
  await shared('lent');
  expect((await send('PATCH', '/lent', MOVED, 'helper')).status).toBe(200);
  expect(await asFiles('lent')).toBeNull();
  const read = await service.send('GET', login('lent'), undefined, service.asService('jobs'));
  expect([read.status, read.body.message]).toEqual([
    404,
    expect.stringContaining('SYSAPI_CRED_OTHER_HOST'),
  ]);
  expect(await service.result('/lent')).toMatchObject({ host: 'localhost', hasCredentials: false });
  const listed = await service.result('?hasCredentials=true&select=id');
  expect(listed).not.toContainEqual({ id: 'lent' });
  expect((await send('POST', `${login('lent')}/check`, {}, 'helper')).status).toBe(403);
  expect(await asFiles('lent')).toBeNull();
});

it('it is used again when the owner has tried it there, or the host is the old one', async () => {
  await shared('again');
  await send('PATCH', '/again', MOVED, 'helper');
  await send('PATCH', '/again', { host: service.host.host }, 'helper');
  expect(await asFiles('again')).toMatchObject({ privateKey: service.keys.privateKey });
  await send('PATCH', '/again', MOVED, 'helper');
  expect((await send('POST', `${login('again')}/check`, {})).status).toBe(200);
  expect(await asFiles('again')).toMatchObject({ privateKey: service.keys.privateKey });
  const history = await service.result('/again/history');
  expect(history.at(-1)).toMatchObject({ operation: 'checkCred', oboUser: 'testuser1' });
});

it.each([['testuser1'], ['boss']])('it follows the owner and administrators: %s', async (mover) => {
  await shared(`by-${mover}`);
  expect((await send('PATCH', `/by-${mover}`, MOVED, mover)).status).toBe(200);
  expect(await asFiles(`by-${mover}`)).toMatchObject({ privateKey: service.keys.privateKey });
});

it('so it is with credentials of the users of a dynamic system, who confirm their own', async () => {
  await shared('dyn', { effectiveUserId: '${apiUserId}' });
  service.double.security.grant('dev', 'ann', 'system:dev:READ:dyn');
  const mapped = { ...service.keys, loginUser: service.host.user };
  expect((await send('POST', login('dyn', 'ann'), mapped, 'ann')).status).toBe(200);
  await send('PATCH', '/dyn', MOVED, 'helper');
  expect(await asFiles('dyn', 'ann')).toBeNull();
  const mapping = await send('POST', login('dyn', 'ann'), { loginUser: 'other' }, 'ann');
  expect([mapping.status, mapping.body.message]).toEqual([
    400,
    expect.stringContaining('SYSAPI_CRED_OTHER_HOST'),
  ]);
  expect((await send('POST', `${login('dyn', 'ann')}/check`, {}, 'ann')).status).toBe(200);
  expect(await asFiles('dyn', 'ann')).toMatchObject({ loginUser: service.host.user });
});

it('registering another method does not take the old one along', async () => {
  await shared('more');
  const path = `${login('more')}?skipCredentialCheck=true`;
  await send('PATCH', '/more', MOVED, 'helper');
  const before = service.double.security.secrets.size;
  expect((await send('POST', path, { password: 'new' })).status).toBe(200);
  expect(await asFiles('more')).toBeNull();
  expect(service.double.security.secrets.size).toBe(before);
});

it('of a child it goes with the host of its parent by the same rule', async () => {
  await shared('parent', { allowChildren: true });
  const child = { id: 'child', effectiveUserId: service.host.user };
  expect((await send('POST', '/parent/createChildSystem', child)).status).toBe(201);
  expect((await send('POST', login('child'), service.keys)).status).toBe(200);
  await send('PATCH', '/parent', MOVED, 'helper');
  expect(await asFiles('child')).toBeNull();
  await send('PATCH', '/parent', { host: service.host.host }, 'helper');
  await send('PATCH', '/parent', MOVED);
  expect(await asFiles('child')).toMatchObject({ privateKey: service.keys.privateKey });
});
