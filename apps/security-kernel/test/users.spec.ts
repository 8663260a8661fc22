import { RunningKernel } from './running-kernel';

let kernel: RunningKernel;
beforeAll(async () => {
  kernel = await RunningKernel.start();
});
afterAll(() => kernel.close());

const SERVICE = 'systems:testuser1@dev';
const grant = (user: string, permSpec: string, who = SERVICE) =>
  kernel.ask(who, '/user/grantUserPermission', { body: { tenant: 'dev', user, permSpec } });
const question = (what: string, body: object, who = SERVICE) =>
  kernel.result(who, `/user/${what}`, { tenant: 'dev', ...body });

it('grants to the default role, asks, revokes', async () => {
  const permSpec = 'systems:dev:READ:a';
  expect((await grant('testuser1', permSpec)).body.result).toEqual({ changes: 3 });
  expect((await grant('testuser1', permSpec)).body.result).toEqual({ changes: 0 });
  expect((await grant('testuser1', 'systems:dev:MODIFY:a')).body.result).toEqual({ changes: 1 });
  const ask = (spec: string, user = 'testuser1') =>
    question('isPermitted', { user, permSpec: spec });
  expect(await ask('systems:dev:READ:a')).toEqual({ isAuthorized: true });
  expect(await ask('systems:dev:READ,MODIFY:a')).toEqual({ isAuthorized: false });
  expect(await ask('systems:dev:READ:b')).toEqual({ isAuthorized: false });
  expect(await ask('systems:dev:READ:a', 'nobody')).toEqual({ isAuthorized: false });
  const specs = { user: 'testuser1', permSpecs: ['systems:dev:READ:a', 'systems:dev:READ:b'] };
  expect(await question('isPermittedAny', specs)).toEqual({ isAuthorized: true });
  expect(await question('isPermittedAll', specs)).toEqual({ isAuthorized: false });
  const revoke = { user: 'testuser1', permSpec };
  expect(await question('revokeUserPermission', revoke)).toEqual({ changes: 1 });
  expect(await question('revokeUserPermission', revoke)).toEqual({ changes: 0 });
  expect(await question('revokeUserPermission', { ...revoke, user: 'nobody' })).toEqual({
    changes: 0,
  });
  expect(await ask('systems:dev:READ:a')).toEqual({ isAuthorized: false });
});

it('finds permissions by what they imply', async () => {
  for (const spec of ['stream:dev:read:p1', 'stream:dev:read,write:p1', 'stream:dev:*:p2'])
    await grant('testuser2', spec);
  const perms = (query: string) =>
    kernel.result('testuser2', `/user/perms/testuser2?tenant=dev${query}`);
  expect(await perms('&implies=stream:dev:*:p1')).toEqual({
    names: ['stream:dev:read,write:p1', 'stream:dev:read:p1'],
  });
  expect(await perms('&impliedBy=stream:dev:write:p1')).toEqual({
    names: ['stream:dev:read,write:p1'],
  });
  expect(
    await kernel.result('testuser2', '/user/withPermission/stream%3Adev%3A%25?tenant=dev'),
  ).toEqual({ names: ['testuser2'] });
  expect((await kernel.ask('testuser2', '/user/withPermission/%25?tenant=dev')).status).toBe(400);
});

it('lets an admin pass when asked to', async () => {
  const ask = (orAdmin?: boolean) =>
    question('isPermitted', { user: 'admin', permSpec: 'x:y', orAdmin });
  expect(await ask()).toEqual({ isAuthorized: false });
  expect(await ask(true)).toEqual({ isAuthorized: true });
  expect(
    await question('hasRole', { user: 'admin', roleName: 'nobody_made', orAdmin: true }),
  ).toEqual({ isAuthorized: true });
  expect(await question('hasRole', { user: 'admin', roleName: 'nobody_made' })).toEqual({
    isAuthorized: false,
  });
  expect(await question('hasRole', { user: 'admin', roleName: '$!tenant_admin' })).toEqual({
    isAuthorized: true,
  });
  expect(
    await question('hasRole', {
      user: 'admin',
      roleName: 'tenant_admin',
      roleType: 'TENANT_ADMIN',
    }),
  ).toEqual({ isAuthorized: true });
  expect(
    await question('hasRoleAny', { user: 'admin', roleNames: ['a', '$!tenant_admin'] }),
  ).toEqual({ isAuthorized: true });
  expect(
    await question('hasRoleAll', { user: 'admin', roleNames: ['a', '$!tenant_admin'] }),
  ).toEqual({ isAuthorized: false });
});

it('keeps tenants apart', async () => {
  await grant('testuser3', 'apps:dev:READ:a');
  const body = { tenant: 'dev', user: 'testuser3', permSpec: 'apps:dev:READ:a' };
  expect((await kernel.ask('testuser3@other', '/user/isPermitted', { body })).status).toBe(403);
  const other = await kernel.result('systems:testuser3@other', '/user/isPermitted', {
    ...body,
    tenant: 'other',
  });
  expect(other).toEqual({ isAuthorized: false });
  expect((await kernel.ask('admin@other', '/user/grantUserPermission', { body })).status).toBe(403);
  expect((await kernel.ask('testuser3@other', '/user?tenant=dev')).status).toBe(403);
  expect((await kernel.ask('testuser4', '/user/revokeUserPermission', { body })).status).toBe(403);
  expect((await kernel.ask('testuser3', '/user/revokeUserPermission', { body })).status).toBe(200);
});

it('takes a permission from everybody', async () => {
  for (const user of ['testuser5', 'testuser6']) {
    await grant(user, 'files:dev:READ:s:/dir');
    await grant(user, 'files:dev:READ:s:/dir33/x');
  }
  const all = (what: string, permSpec: string, who: string) =>
    kernel.ask(who, `/role/${what}`, { body: { tenant: 'dev', permSpec } });
  expect((await all('removePermFromAllRoles', 'files:dev:READ:s:/dir', 'admin')).status).toBe(403);
  expect(
    (await all('removePermFromAllRoles', 'files:dev:READ:s:/dir', SERVICE)).body.result,
  ).toEqual({ changes: 2 });
  expect((await all('removePathPermFromAllRoles', 'files:dev:READ:s:/dir', SERVICE)).status).toBe(
    403,
  );
  expect(
    (await all('removePathPermFromAllRoles', 'files:dev:READ:s:/dir', 'files:u@dev')).body.result,
  ).toEqual({ changes: 2 });
});

it('takes path permissions by their path alone: the other parts are exact', async () => {
  await grant('testuser8', 'files:dev:READ:s1:/x');
  const all = (permSpec: string) =>
    kernel.result('files:u@dev', '/role/removePathPermFromAllRoles', { tenant: 'dev', permSpec });
  for (const spec of ['files:dev:READ:s1', 'files:dev:READ:s', 'files', 'files:dev:READ:s:/x'])
    expect(await all(spec)).toEqual({ changes: 0 });
  expect(await all('files:dev:READ:s1:/')).toEqual({ changes: 1 });
});

it('keeps blanks at the ends of paths', async () => {
  await grant('testuser9', 'files:dev:READ:s1:/my dir ');
  const ask = (permSpec: string) => question('isPermitted', { user: 'testuser9', permSpec });
  expect(await ask('files:dev:READ:s1:/my dir /x')).toEqual({ isAuthorized: true });
  expect(await ask('files:dev:READ:s1:/my dir/x')).toEqual({ isAuthorized: false });
});

it('refuses what is malformed, naming each field', async () => {
  const { status, body } = await kernel.ask(SERVICE, '/user/isPermitted', {
    body: { user: 5, permSpec: 'x'.repeat(2049), more: 1 },
  });
  expect(status).toBe(400);
  for (const name of ['tenant', 'user', 'permSpec', 'more']) expect(body.message).toContain(name);
});

it('takes the longest permissions, whatever their characters', async () => {
  const random = Array.from({ length: 2000 }, () =>
    String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 9000)),
  );
  const { status } = await grant('testuser7', `files:dev:READ:s:/${random.join('')}`);
  expect([200, 400]).toContain(status);
});
