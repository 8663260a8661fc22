import { RunningKernel } from './running-kernel';

let kernel: RunningKernel;
beforeAll(async () => {
  kernel = await RunningKernel.start();
});
afterAll(() => kernel.close());

const role = (roleName: string) => ({ roleTenant: 'dev', roleName });
const make = (roleName: string, who = 'admin') =>
  kernel.ask(who, '/role', { body: { ...role(roleName), description: `the ${roleName}` } });

it('makes the roles that an installation needs at start', async () => {
  expect(await kernel.result('admin', '/user/admins/dev')).toEqual({ names: ['admin'] });
  expect(
    await kernel.result('tokens:tokens@admin', '/user/roles/authenticator?tenant=admin'),
  ).toEqual({
    names: ['dev_token_generator', 'other_token_generator'],
  });
  expect(await kernel.result('tokens:tokens@admin', '/user/roles/tokens?tenant=admin')).toEqual({
    names: ['tenant_definition_updater'],
  });
  expect(await kernel.result('admin@admin', '/user/roles/admin?tenant=admin')).toEqual({
    names: ['$!tenant_admin', '$~site_admin'],
  });
});

it('keeps a role', async () => {
  const first = await make('chemists');
  expect([first.status, first.body.result]).toEqual([201, { url: '/v3/security/role/chemists' }]);
  expect((await make('chemists')).status).toBe(200);
  expect(await kernel.result('testuser1', '/role/chemists?tenant=dev')).toMatchObject({
    name: 'chemists',
    type: 'USER',
    owner: 'admin',
    ownerTenant: 'dev',
    hasChildren: false,
  });
  const body = { ...role('x'), newDescription: 'those who cook' };
  delete (body as { roleName?: string }).roleName;
  await kernel.result('admin', '/role/updateDesc/chemists', body);
  expect(await kernel.result('admin', '/role/chemists?tenant=dev')).toMatchObject({
    description: 'those who cook',
  });
  expect(await kernel.result('testuser1', '/role?tenant=dev')).toEqual({
    names: ['$!tenant_admin', 'chemists'],
  });
});

it('names a role that is missing', async () => {
  const { status, body } = await kernel.ask('admin', '/role/nobody?tenant=dev');
  expect([status, body.status, body.result]).toEqual([404, 'error', { name: 'nobody' }]);
  expect(body.message).toMatch(/^SK_ROLE_NOT_FOUND /);
});

it('lets only admins, owners and services change roles', async () => {
  expect((await make('mine', 'testuser1')).status).toBe(403);
  expect((await make('theirs', 'apps:testuser1@dev')).status).toBe(201);
  expect((await make('far', 'admin@other')).status).toBe(403);
  const grant = { tenant: 'dev', user: 'testuser2', roleName: 'chemists' };
  expect((await kernel.ask('testuser2', '/user/grantRole', { body: grant })).status).toBe(403);
  const owner = { roleTenant: 'dev', newOwner: 'testuser3' };
  await kernel.result('admin', '/role/updateOwner/chemists', owner);
  expect(await kernel.result('testuser3', '/user/grantRole', grant)).toEqual({ changes: 1 });
  expect(await kernel.result('testuser3', '/user/grantRole', grant)).toEqual({ changes: 0 });
  expect(await kernel.result('testuser3', '/user/revokeUserRole', grant)).toEqual({ changes: 1 });
});

it('keeps the special roles for those who may', async () => {
  const admin = {
    tenant: 'dev',
    user: 'testuser5',
    roleName: 'tenant_admin',
    roleType: 'TENANT_ADMIN',
  };
  // the old way to say it
  const old = { tenant: 'dev', user: 'testuser5', roleName: '$!tenant_admin' };
  for (const way of ['grantRole', 'revokeRole'])
    expect((await kernel.ask('admin', `/user/${way}`, { body: old })).status).toBe(400);
  expect((await kernel.ask('apps:x@dev', '/user/grantRole', { body: admin })).status).toBe(403);
  expect(
    (
      await kernel.ask('testuser5', '/user/grantAdminRole', {
        body: { tenant: 'dev', user: 'testuser5' },
      })
    ).status,
  ).toBe(403);
  expect(await kernel.result('admin', '/user/grantRole', admin)).toEqual({ changes: 1 });
  expect(
    await kernel.result('testuser5', '/user/isAdmin', { tenant: 'dev', user: 'testuser5' }),
  ).toEqual({ isAuthorized: true });
  expect(await kernel.result('admin', '/user/revokeRole', admin)).toEqual({ changes: 1 });
  const last = await kernel.ask('admin', '/user/revokeRole', { body: { ...admin, user: 'admin' } });
  expect([last.status, last.body.message.split(' ')[0]]).toEqual([400, 'SK_LAST_ADMIN']);
  const site = { tenant: 'admin', user: 'admin', roleName: '$~site_admin' };
  expect((await kernel.ask('admin@admin', '/user/grantRole', { body: site })).status).toBe(403);
  const service = {
    roleTenant: 'dev',
    roleName: 'branch',
    roleType: 'RESTRICTED_SVC',
    description: 'a branch',
  };
  expect((await kernel.ask('admin', '/role', { body: service })).status).toBe(403);
  expect((await kernel.ask('admin@admin', '/role', { body: service })).status).toBe(201);
});

it('nests roles and refuses circles', async () => {
  for (const name of ['top', 'middle', 'bottom']) await make(name);
  const nest = (parentRoleName: string, childRoleName: string) =>
    kernel.ask('admin', '/role/addChild', {
      body: { roleTenant: 'dev', parentRoleName, childRoleName },
    });
  expect((await nest('top', 'middle')).body.result).toEqual({ changes: 1 });
  expect((await nest('middle', 'bottom')).body.result).toEqual({ changes: 1 });
  expect((await nest('top', 'middle')).body.result).toEqual({ changes: 0 });
  expect((await nest('bottom', 'top')).status).toBe(400);
  expect((await nest('top', 'top')).status).toBe(400);
  await kernel.result('admin', '/role/addPerm', {
    ...role('bottom'),
    permSpec: 'stream:dev:read:p1',
  });
  expect(await kernel.result('admin', '/role/top/perms?tenant=dev')).toEqual({
    names: ['stream:dev:read:p1'],
  });
  expect(await kernel.result('admin', '/role/top/perms?tenant=dev&immediate=true')).toEqual({
    names: [],
  });
  await kernel.result('admin', '/user/grantRole', {
    tenant: 'dev',
    user: 'testuser6',
    roleName: 'top',
  });
  expect(await kernel.result('testuser6', '/user/roles/testuser6?tenant=dev')).toEqual({
    names: ['bottom', 'middle', 'top'],
  });
  expect(await kernel.result('testuser6', '/user/withRole/bottom?tenant=dev')).toEqual({
    names: ['testuser6'],
  });
  const permits = { roleTenant: 'dev', permSpec: 'stream:dev:read:p1' };
  expect(await kernel.result('testuser1', '/role/top/permits', permits)).toEqual({
    isAuthorized: true,
  });
  expect(await kernel.result('testuser1', '/role/top/permits?immediate=true', permits)).toEqual({
    isAuthorized: false,
  });
  expect((await kernel.ask('testuser1@other', '/role/top/permits', { body: permits })).status).toBe(
    403,
  );
  const gone = await kernel.ask('admin', '/role/middle?tenant=dev', { method: 'DELETE' });
  expect(gone.body.result).toEqual({ changes: 1 });
  expect(await kernel.result('testuser6', '/user/roles/testuser6?tenant=dev')).toEqual({
    names: ['top'],
  });
});

it('moves path permissions', async () => {
  await make('pathy');
  const perm = (permSpec: string) =>
    kernel.result('admin', '/role/addPerm', { ...role('pathy'), permSpec });
  await perm('files:dev:read:s1:/data/a');
  await perm('files:dev:read:s1:/other');
  const move = {
    tenant: 'dev',
    schema: 'files',
    oldSystemId: 's1',
    newSystemId: 's2',
    oldPrefix: '/data',
    newPrefix: '/moved',
  };
  const preview = await kernel.result('testuser1', '/role/previewPathPrefix', move);
  expect(preview).toEqual([
    {
      permId: expect.any(Number),
      oldPerm: 'files:dev:read:s1:/data/a',
      newPerm: 'files:dev:read:s2:/moved/a',
    },
  ]);
  expect((await kernel.ask('testuser1', '/role/replacePathPrefix', { body: move })).status).toBe(
    403,
  );
  expect(await kernel.result('files:u@dev', '/role/replacePathPrefix', move)).toEqual({
    changes: 1,
  });
  expect(await kernel.result('admin', '/role/pathy/perms?tenant=dev')).toEqual({
    names: ['files:dev:read:s1:/other', 'files:dev:read:s2:/moved/a'],
  });
});

it('refuses names that are not names', async () => {
  for (const name of ['$mine', '1st', 'a b', 'x'.repeat(59), ''])
    expect((await make(name)).status).toBe(400);
});

it('tells the name of a default role to everybody', async () => {
  expect(await kernel.result('testuser1', '/role/defaultRole/testuser9')).toEqual({
    name: '$$testuser9',
  });
});

it('keeps names within what fits', async () => {
  const long = 'x'.repeat(59);
  expect((await kernel.ask('testuser1', `/role/defaultRole/${long}`)).status).toBe(400);
  expect((await kernel.ask('testuser1', `/user/defaultRole/${long}`)).status).toBe(400);
  const body = { tenant: 'dev', user: long, permSpec: 'a:b' };
  expect((await kernel.ask('admin', '/user/grantUserPermission', { body })).status).toBe(400);
  expect(await kernel.result('admin', '/user/revokeUserPermission', body)).toEqual({ changes: 0 });
  const spec = `files:dev:read:s7:/${'y'.repeat(2000)}`;
  await make('lengthy');
  await kernel.result('admin', '/role/addPerm', { ...role('lengthy'), permSpec: spec });
  const move = { tenant: 'dev', schema: 'files', oldSystemId: 's7', newSystemId: 's8' };
  const longer = { ...move, oldPrefix: '/', newPrefix: `/${'z'.repeat(100)}/` };
  for (const way of ['previewPathPrefix', 'replacePathPrefix'])
    expect((await kernel.ask('admin', `/role/${way}`, { body: longer })).status).toBe(400);
  expect(await kernel.result('admin', '/role/replacePathPrefix', move)).toEqual({ changes: 1 });
});

it('nests roles of type USER only, and tells a name that is taken', async () => {
  await make('plain');
  await kernel.result('admin@admin', '/role', {
    ...role('narrow'),
    roleType: 'RESTRICTED_SVC',
    description: 'd',
  });
  const nest = (parentRoleName: string, childRoleName: string) =>
    kernel.ask('admin@admin', '/role/addChild', {
      body: { roleTenant: 'dev', parentRoleName, childRoleName },
    });
  expect((await nest('plain', '$#narrow')).status).toBe(400);
  expect((await nest('$#narrow', 'plain')).status).toBe(400);
  expect((await nest('plain', '$!tenant_admin')).status).toBe(403);
  const rename = (newRoleName: string) =>
    kernel.ask('admin', '/role/updateName/plain', { body: { roleTenant: 'dev', newRoleName } });
  const taken = await rename('lengthy');
  expect([taken.status, taken.body.message]).toEqual([
    409,
    expect.stringMatching(/^SK_ROLE_EXISTS /),
  ]);
  expect((await rename('plain')).status).toBe(200);
});

it('changes no permission of a schema without paths by prefix', async () => {
  const permSpec = 'stream:dev:read:s9:/data/a';
  await kernel.result('admin', '/role/addPerm', { ...role('pathy'), permSpec });
  const move = { tenant: 'dev', schema: 'stream', oldSystemId: 's9', newSystemId: 's2' };
  expect(await kernel.result('admin', '/role/previewPathPrefix', move)).toEqual([]);
});
