import { RunningKernel } from './running-kernel';

let kernel: RunningKernel;
beforeAll(async () => {
  kernel = await RunningKernel.start();
});
afterAll(() => kernel.close());

const SERVICE = 'systems:testuser1@dev';
const list = async (query = '', who = 'admin', tenant = 'dev') =>
  (await kernel.result(who, `/audit?tenant=${tenant}${query}`)) as Record<string, unknown>[];
/** The records that the work left, oldest first: action and object. */
async function leaves(work: () => Promise<unknown>): Promise<unknown[]> {
  const [last] = await list('&limit=1');
  const after = (last?.id as number | undefined) ?? 0;
  await work();
  const found = await list(`&orderBy=id(asc)&startAfter=${after}`);
  return found.map(({ action, object }) => `${action as string} ${object as string}`);
}
const post = (path: string, body: object, who = 'admin') => kernel.result(who, path, body);
const role = (roleName: string, more: object = {}) => ({ roleTenant: 'dev', roleName, ...more });
const user = (name: string, more: object = {}) => ({ tenant: 'dev', user: name, ...more });

it('has each change with who, on whose behalf, what and when', async () => {
  const began = Date.now();
  const permSpec = 'systems:dev:READ:one';
  await post('/user/grantUserPermission', user('testuser2', { permSpec }), SERVICE);
  const [record] = await list('&limit=1');
  expect(record).toMatchObject({
    tenant: 'dev',
    action: 'user.grantPermission',
    object: 'testuser2',
    details: { permission: permSpec },
    jwtTenant: 'admin',
    jwtUser: 'systems',
    oboTenant: 'dev',
    oboUser: 'testuser1',
    delegator: null,
    trackingId: expect.any(String),
  });
  expect(Date.parse(record!.created as string)).toBeGreaterThanOrEqual(began - 1000);
});

it('names the roles that a change of many roles touched', async () => {
  const permSpec = 'files:dev:READ:m1:/data/a';
  await post('/role', role('many', { description: 'd' }));
  await post('/role/addPerm', role('many', { permSpec }));
  const move = { tenant: 'dev', schema: 'files', oldSystemId: 'm1', newSystemId: 'm2' };
  await post('/role/replacePathPrefix', { ...move, newPrefix: '', oldPrefix: '' }, 'files:u@dev');
  const next = 'files:dev:READ:m2:/data/a';
  expect((await list('&limit=1'))[0]).toMatchObject({
    details: { changes: 1, moved: [{ role: 'many', permission: permSpec, next }] },
  });
  const gone = { tenant: 'dev', permSpec: 'files:dev:READ:m2:/data' };
  await post('/role/removePathPermFromAllRoles', gone, 'files:u@dev');
  expect((await list('&limit=1'))[0]).toMatchObject({
    details: { changes: 1, below: true, from: [{ role: 'many', permission: next }] },
  });
});

it('has a record of every kind of change', async () => {
  const permSpec = 'files:dev:READ:s1:/data/a';
  const move = { tenant: 'dev', schema: 'files', oldSystemId: 's1', newSystemId: 's2' };
  const share = {
    tenant: 'dev',
    grantor: 'testuser1',
    grantee: 'testuser2',
    resourceType: 'app',
    resourceId1: 'a1',
    privilege: 'READ',
  };
  const secret = { tenant: 'dev', user: 'testuser1' };
  const nest = { roleTenant: 'dev', parentRoleName: 'top', childRoleName: 'below' };
  expect(
    await leaves(async () => {
      await post('/role', role('top', { description: 'd' }));
      await post('/role', role('below', { description: 'd' }));
      await post('/role/addPerm', role('top', { permSpec }));
      await post('/role/addChild', nest);
      await post('/role/removeChild', nest);
      await post('/role/replacePathPrefix', move, 'files:u@dev');
      await post('/role/removePerm', role('top', { permSpec: 'files:dev:READ:s2:/data/a' }));
      await post('/role/updateDesc/top', { roleTenant: 'dev', newDescription: 'other' });
      await post('/role/updateOwner/top', { roleTenant: 'dev', newOwner: 'testuser3' });
      await post('/role/updateName/top', { roleTenant: 'dev', newRoleName: 'peak' });
      await post('/user/grantRole', user('testuser4', { roleName: 'peak' }));
      await post('/user/revokeRole', user('testuser4', { roleName: 'peak' }));
      await post('/user/grantRoleWithPerm', user('testuser4', { roleName: 'peak', permSpec }));
      await post('/role/removePermFromAllRoles', { tenant: 'dev', permSpec }, SERVICE);
      await post('/user/grantUserPermission', user('testuser4', { permSpec }));
      await post('/user/revokeUserPermission', user('testuser4', { permSpec }));
      await post('/user/grantAdminRole', user('testuser4'));
      await post('/user/revokeAdminRole', user('testuser4'));
      await kernel.ask('admin', '/role/below?tenant=dev', { method: 'DELETE' });
    }),
  ).toEqual([
    'role.create top',
    'role.create below',
    'role.addPermission top',
    'role.addChild top',
    'role.removeChild top',
    'role.replacePathPrefix *',
    'role.removePermission top',
    'role.describe top',
    'role.changeOwner top',
    'role.rename top',
    'user.grantRole testuser4',
    'user.revokeRole testuser4',
    'role.addPermission peak',
    'user.grantRole testuser4',
    'role.removeFromAll *',
    'user.grantPermission testuser4',
    'user.revokePermission testuser4',
    'user.grantRole testuser4',
    'user.revokeRole testuser4',
    'role.delete below',
  ]);
  const stored = 'user/testuser1/kv/token';
  expect(
    await leaves(async () => {
      await post('/share', share, 'apps:u@dev');
      const query = new URLSearchParams(share).toString();
      await kernel.ask('apps:u@dev', `/share?${query}`, { method: 'DELETE' });
      await post('/vault/secret/user/token', { ...secret, data: { k: 'planted' } }, 'testuser1');
      for (const what of ['delete', 'undelete', 'destroy'])
        await post(`/vault/secret/${what}/user/token`, { ...secret, versions: [] }, 'testuser1');
      const erase = '/vault/secret/destroy/meta/user/token?tenant=dev&user=testuser1';
      await kernel.ask('testuser1', erase, { method: 'DELETE' });
    }),
  ).toEqual([
    expect.stringMatching(/^share\.create \d+$/),
    expect.stringMatching(/^share\.delete \d+$/),
    `secret.write ${stored}`,
    `secret.delete ${stored}`,
    `secret.undelete ${stored}`,
    `secret.destroy ${stored}`,
    `secret.erase ${stored}`,
  ]);
  expect(JSON.stringify(await kernel.rows('SELECT * FROM audit'))).not.toContain('planted');
});

it('has no record of what changed nothing, was refused or was only asked', async () => {
  const permSpec = 'systems:dev:READ:once';
  await post('/user/grantUserPermission', user('testuser5', { permSpec }));
  expect(
    await leaves(async () => {
      await post('/user/grantUserPermission', user('testuser5', { permSpec }));
      await post('/user/isPermitted', user('testuser5', { permSpec }));
      await post('/user/revokeUserPermission', user('testuser5', { permSpec: 'a:b' }));
      const body = role('never', { description: 'd' });
      expect((await kernel.ask('testuser5', '/role', { body })).status).toBe(403);
      const last = user('admin', { roleName: 'tenant_admin', roleType: 'TENANT_ADMIN' });
      expect((await kernel.ask('admin', '/user/revokeRole', { body: last })).status).toBe(400);
    }),
  ).toEqual([]);
});

it('is for administrators, each tenant for itself', async () => {
  for (const who of ['testuser1', 'admin@other', SERVICE, 'tokens:tokens@admin'])
    expect((await kernel.ask(who, '/audit?tenant=dev')).status).toBe(403);
  for (const who of ['admin', 'admin@admin'])
    expect((await kernel.ask(who, '/audit?tenant=dev')).status).toBe(200);
  const tenants = (records: Record<string, unknown>[]) => [
    ...new Set(records.map((r) => r.tenant)),
  ];
  expect(tenants(await list())).toEqual(['dev']);
  expect(tenants(await list('', 'admin@other', 'other'))).toEqual(['other']);
  // what the kernel itself did at start is there as well
  const site = await list('&action=secret.write', 'admin@admin', 'admin');
  expect(site[0]).toMatchObject({
    jwtUser: '$~SecurityKernel',
    object: expect.stringMatching(/^service\//),
  });
});

it('is paged and searched', async () => {
  const first = await kernel.ask('admin', '/audit?tenant=dev&limit=3&computeTotal=true');
  expect(first.body.metadata).toMatchObject({ recordCount: 3, recordLimit: 3 });
  const { totalCount } = first.body.metadata;
  const seen: number[] = [];
  let next: string | undefined = '/audit?tenant=dev&limit=3&orderBy=id(desc)';
  for (let page = 0; next && page < 50; page++) {
    const answer = await kernel.ask('admin', next);
    seen.push(...answer.body.result.map(({ id }: { id: number }) => id));
    next = /<\/v3\/security([^>]+)>/.exec(String(answer.headers['link'] ?? ''))?.[1];
  }
  expect(seen).toHaveLength(totalCount);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
  for (const { action } of await list('&action.like=role.*')) expect(action).toMatch(/^role\./);
  for (const { oboUser } of await list('&oboUser=testuser1')) expect(oboUser).toBe('testuser1');
  for (const query of ['', '?tenant=', '?tenant=dev&limit=x', '?tenant=dev&nonsense=1'])
    expect((await kernel.ask('admin', `/audit${query}`)).status).toBe(400);
});

it('is never changed, not even by its owner', async () => {
  for (const sql of ["UPDATE audit SET jwt_user = 'nobody'", 'DELETE FROM audit', 'TRUNCATE audit'])
    await expect(kernel.rows(sql)).rejects.toThrow('never changed');
});
