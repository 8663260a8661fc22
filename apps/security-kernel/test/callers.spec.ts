import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@libs/kit';
import { headersOf, RunningKernel } from './running-kernel';

/** Kinds of callers; what each may is about things of tenant dev. */
const CALLERS = {
  stranger: undefined,
  user: 'testuser1',
  admin: 'admin',
  'other admin': 'admin@other',
  service: 'jobs:testuser1@dev',
  'other site': 'far',
  'site admin': 'admin@admin',
} as const;
type Kind = keyof typeof CALLERS;

/** Who passes; everybody else is refused with 403, without a good token with 401. */
const ALL: Kind[] = ['user', 'admin', 'service', 'site admin'];
const ADMINS: Kind[] = ['admin', 'service', 'site admin'];
const PEOPLE: Kind[] = ['admin', 'site admin'];
const SITE: Kind[] = ['site admin'];
const SERVICE: Kind[] = ['service'];
const NOBODY: Kind[] = [];

const role = { roleTenant: 'dev', roleName: 'kept' };
const who = { tenant: 'dev', user: 'testuser2' };
const permSpec = 'systems:dev:READ:a';
const nest = { roleTenant: 'dev', parentRoleName: 'kept', childRoleName: 'below' };
const move = { tenant: 'dev', schema: 'files', oldSystemId: 's1', newSystemId: 's2' };
const share = {
  tenant: 'dev',
  grantor: 'a',
  grantee: 'b',
  resourceType: 'system',
  resourceId1: 's1',
  privilege: 'READ',
};
const mine = { tenant: 'dev', user: 'testuser1' };
const secret = { ...mine, data: { k: 'v' } };
const versions = { ...mine, versions: [] };
const password = { tenant: 'dev', user: 'jobs', password: 'x' };
const query = (values: object) => new URLSearchParams(values as Record<string, string>).toString();

type Row = [may: Kind[], method: string, route: string, path: string, body?: object];

/** Every route of the security kernel, with a request that is right if the caller may. */
const ROUTES: Row[] = [
  [ADMINS, 'POST', '/role', '/role', { ...role, roleName: 'made', description: 'd' }],
  [ALL, 'GET', '/role', '/role?tenant=dev'],
  [ALL, 'GET', '/role/{roleName}', '/role/kept?tenant=dev'],
  [ALL, 'GET', '/role/{roleName}/perms', '/role/kept/perms?tenant=dev'],
  [ALL, 'POST', '/role/{roleName}/permits', '/role/kept/permits', { roleTenant: 'dev', permSpec }],
  [ADMINS, 'POST', '/role/updateDesc/{roleName}', '/role/updateDesc/kept', { roleTenant: 'dev', newDescription: 'n' }],
  [ADMINS, 'POST', '/role/updateOwner/{roleName}', '/role/updateOwner/kept', { roleTenant: 'dev', newOwner: 'nobody' }],
  [ADMINS, 'POST', '/role/updateName/{roleName}', '/role/updateName/kept', { roleTenant: 'dev', newRoleName: 'kept' }],
  [ADMINS, 'POST', '/role/addPerm', '/role/addPerm', { ...role, permSpec }],
  [ADMINS, 'POST', '/role/removePerm', '/role/removePerm', { ...role, permSpec }],
  [ADMINS, 'POST', '/role/addChild', '/role/addChild', nest],
  [ADMINS, 'POST', '/role/removeChild', '/role/removeChild', nest],
  [ALL, 'POST', '/role/previewPathPrefix', '/role/previewPathPrefix', move],
  // of services, the files service alone
  [PEOPLE, 'POST', '/role/replacePathPrefix', '/role/replacePathPrefix', move],
  [SERVICE, 'POST', '/role/removePermFromAllRoles', '/role/removePermFromAllRoles', { tenant: 'dev', permSpec }],
  [NOBODY, 'POST', '/role/removePathPermFromAllRoles', '/role/removePathPermFromAllRoles', { tenant: 'dev', permSpec }],
  [ADMINS, 'DELETE', '/role/{roleName}', '/role/gone?tenant=dev'],
  [ADMINS, 'POST', '/user/grantRole', '/user/grantRole', { ...who, roleName: 'kept' }],
  [ADMINS, 'POST', '/user/revokeRole', '/user/revokeRole', { ...who, roleName: 'kept' }],
  [ADMINS, 'POST', '/user/revokeUserRole', '/user/revokeUserRole', { ...who, roleName: 'kept' }],
  [PEOPLE, 'POST', '/user/grantAdminRole', '/user/grantAdminRole', who],
  [PEOPLE, 'POST', '/user/revokeAdminRole', '/user/revokeAdminRole', who],
  [ADMINS, 'POST', '/user/grantRoleWithPerm', '/user/grantRoleWithPerm', { ...who, roleName: 'kept', permSpec }],
  [ADMINS, 'POST', '/user/grantUserPermission', '/user/grantUserPermission', { ...who, permSpec }],
  [ADMINS, 'POST', '/user/revokeUserPermission', '/user/revokeUserPermission', { ...who, permSpec }],
  [ALL, 'POST', '/user/hasRole', '/user/hasRole', { ...who, roleName: 'kept' }],
  [ALL, 'POST', '/user/hasRoleAny', '/user/hasRoleAny', { ...who, roleNames: ['kept'] }],
  [ALL, 'POST', '/user/hasRoleAll', '/user/hasRoleAll', { ...who, roleNames: ['kept'] }],
  [ALL, 'POST', '/user/isPermitted', '/user/isPermitted', { ...who, permSpec }],
  [ALL, 'POST', '/user/isPermittedAny', '/user/isPermittedAny', { ...who, permSpecs: [permSpec] }],
  [ALL, 'POST', '/user/isPermittedAll', '/user/isPermittedAll', { ...who, permSpecs: [permSpec] }],
  [ALL, 'POST', '/user/isAdmin', '/user/isAdmin', who],
  [ALL, 'GET', '/user', '/user?tenant=dev'],
  [ALL, 'GET', '/user/admins/{tenant}', '/user/admins/dev'],
  [ALL, 'GET', '/user/roles/{user}', '/user/roles/testuser2?tenant=dev'],
  [ALL, 'GET', '/user/perms/{user}', '/user/perms/testuser2?tenant=dev'],
  [ALL, 'GET', '/user/withRole/{roleName}', '/user/withRole/kept?tenant=dev'],
  [ALL, 'GET', '/user/withPermission/{permSpec}', '/user/withPermission/systems:%25?tenant=dev'],
  [SERVICE, 'POST', '/share', '/share', share],
  [SERVICE, 'GET', '/share', '/share?tenant=dev'],
  [SERVICE, 'GET', '/share/hasPrivilege', `/share/hasPrivilege?${query({ ...share, grantor: '' })}`.replace('grantor=&', '')],
  [SERVICE, 'DELETE', '/share', `/share?${query({ ...share, resourceId1: 'gone' })}`],
  [SERVICE, 'GET', '/share/{id}', '/share/1?tenant=dev'],
  [SERVICE, 'DELETE', '/share/{id}', '/share/99?tenant=dev'],
  // a secret of type user is its user's alone
  [['user'], 'POST', '/vault/secret/{type}/{name}', '/vault/secret/user/s', secret],
  [['user'], 'GET', '/vault/secret/{type}/{name}', `/vault/secret/user/s?${query(mine)}`],
  [['user'], 'GET', '/vault/secret/read/meta/{type}/{name}', `/vault/secret/read/meta/user/s?${query(mine)}`],
  [['user'], 'GET', '/vault/secret/list/meta/{type}', `/vault/secret/list/meta/user?${query(mine)}`],
  [['user'], 'POST', '/vault/secret/{mark}/{type}/{name}', '/vault/secret/undelete/user/s', versions],
  [['user'], 'DELETE', '/vault/secret/destroy/meta/{type}/{name}', `/vault/secret/destroy/meta/user/x?${query(mine)}`],
  // the service itself passes on to its password, which is not this one
  [NOBODY, 'POST', '/vault/secret/validateServicePassword/{name}', '/vault/secret/validateServicePassword/password', password],
  [NOBODY, 'POST', '/vault/secret/validateSiteAdminPassword/{name}', '/vault/secret/validateSiteAdminPassword/password', password],
  [PEOPLE, 'GET', '/audit', '/audit?tenant=dev'],
  [SITE, 'GET', '/admin/reinitialize', '/admin/reinitialize'],
  [SITE, 'POST', '/admin/rewrapSecrets', '/admin/rewrapSecrets'],
  [SITE, 'GET', '/admin/rewrapSecrets', '/admin/rewrapSecrets'],
]; // prettier-ignore

/** What needs no token at all. */
const OPEN = /defaultRole|healthcheck|readycheck|openapi/;

let kernel: RunningKernel;
beforeAll(async () => {
  kernel = await RunningKernel.start();
  for (const roleName of ['kept', 'below'])
    await kernel.result('admin', '/role', { roleTenant: 'dev', roleName, description: 'd' });
  await kernel.result('jobs:testuser1@dev', '/share', share);
  await kernel.result('testuser1', '/vault/secret/user/s', secret);
  // An associate site, with a service of its own.
  const { sites, tenants } = kernel.double.directory;
  const associate = {
    ...sites[0]!,
    site_id: 'west',
    primary: false,
    tenant_base_url_template: null,
    site_admin_tenant_id: 'west-admin',
  };
  sites.push(associate);
  for (const tenant_id of ['west-admin', 'west-dev'])
    tenants.push({
      ...tenants[0]!,
      tenant_id,
      site_id: 'west',
      base_url: `http://${tenant_id}.localhost`,
    });
  await kernel.result('admin@admin', '/admin/reinitialize');
});
afterAll(() => kernel.close());

function headers(kind: Kind): Record<string, string> {
  const name = CALLERS[kind];
  if (!name) return {};
  if (name !== 'far') return headersOf(kernel.double, name);
  const token = kernel.double.signer.token({
    user: 'jobs',
    tenant: 'west-admin',
    accountType: 'service',
  });
  return { ...kernel.double.asService('jobs'), 'X-Svc-Token': token };
}

it('has every route of the document in the table', () => {
  const text = readFileSync(join(__dirname, '../../../docs/openapi/security-kernel.json'), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace('/v3/security', '')}`,
    ),
  );
  const table = ROUTES.map(([, method, route]) => `${method} ${route}`);
  expect(documented.filter((name) => !OPEN.test(name)).sort()).toEqual(table.sort());
});

describe.each(Object.keys(CALLERS) as Kind[])('%s', (kind) => {
  it.each(ROUTES.map((row) => [`${row[1]} ${row[2]}`, row] as const))('%s', async (_, row) => {
    const [may, method, route, path, body] = row;
    // some routes need something to take away
    if (route === '/role/{roleName}' && method === 'DELETE')
      await kernel.result('admin', '/role', {
        roleTenant: 'dev',
        roleName: 'gone',
        description: 'd',
      });
    const url = `${kernel.url}/v3/security${path}`;
    const { status, body: answer } = await call(url, { method, headers: headers(kind), body });
    const passes = may.includes(kind);
    const refusal = ['stranger', 'other site'].includes(kind) ? 401 : 403;
    expect([status, answer.message]).toEqual([
      passes ? (status === 201 ? 201 : 200) : refusal,
      expect.any(String),
    ]);
  });

  it('reads the name of a default role without a token', async () => {
    for (const place of ['role', 'user'])
      expect((await call(`${kernel.url}/v3/security/${place}/defaultRole/u`)).status).toBe(200);
  });
});

it('lets the services pass that a row of the page names', async () => {
  const files = (path: string, body: object) => kernel.ask('files:u@dev', path, { body });
  expect((await files('/role/replacePathPrefix', move)).status).toBe(200);
  expect(
    (await files('/role/removePathPermFromAllRoles', { tenant: 'dev', permSpec })).status,
  ).toBe(200);
  const tokens = (password: string) =>
    kernel.ask('tokens:tokens@admin', '/vault/secret/validateServicePassword/password', {
      body: { tenant: 'admin', user: 'jobs', password },
    });
  expect([(await tokens('jobs-secret')).status, (await tokens('x')).status]).toEqual([200, 403]);
});

it('lets an associate speak for its own tenants only, and only at home', async () => {
  const token = kernel.double.signer.token({
    user: 'jobs',
    tenant: 'west-admin',
    accountType: 'service',
    targetSite: 'primary',
  });
  for (const tenant of ['west-dev', 'dev']) {
    const headers = { ...kernel.double.asService('jobs', 'u', tenant), 'X-Svc-Token': token };
    const { status } = await call(`${kernel.url}/v3/security/role?tenant=${tenant}`, { headers });
    expect(status).toBe(401);
  }
  // and nobody of the primary administers the tenants of an associate
  const role = { roleTenant: 'west-dev', roleName: 'r', description: 'd' };
  expect((await kernel.ask('admin@admin', '/role', { body: role })).status).toBe(403);
});

it('lets owners change their roles and users give their own permissions back', async () => {
  const owned = { roleTenant: 'dev', roleName: 'owned' };
  await kernel.result('admin', '/role', { ...owned, description: 'd' });
  await kernel.result('admin', '/role/updateOwner/owned', {
    roleTenant: 'dev',
    newOwner: 'testuser7',
  });
  await kernel.result('testuser7', '/role/addPerm', { ...owned, permSpec });
  await kernel.result('testuser7', '/user/grantRole', { ...who, roleName: 'owned' });
  await kernel.result('admin', '/user/grantUserPermission', { ...mine, permSpec });
  await kernel.result('testuser1', '/user/revokeUserPermission', { ...mine, permSpec });
});
