import { call } from '@libs/kit';
import { RunningKernel } from './running-kernel';

let kernel: RunningKernel;
beforeAll(async () => {
  kernel = await RunningKernel.start();
});
afterAll(() => kernel.close());

const SITE_ADMIN = 'admin@admin';

describe('probes', () => {
  const get = (path: string) => call(`${kernel.url}/v3/security${path}`);

  it('tell without a token that the process lives and what it reaches', async () => {
    const first = (await get('/healthcheck')).body.result;
    expect(first).toEqual({ checkNum: expect.any(Number) });
    expect((await get('/healthcheck')).body.result.checkNum).toBe(first.checkNum + 1);
    const ready = await get('/readycheck');
    expect([ready.status, ready.body.result]).toMatchObject([
      200,
      {
        checkNum: first.checkNum + 2,
        databaseAccess: true,
        vaultAccess: true,
        tenantsAccess: true,
      },
    ]);
    for (const path of ['/hello', '/ready']) expect((await get(path)).status).toBe(404);
  });

  it('are readable by people who ask for it', async () => {
    expect((await get('/healthcheck?pretty=true')).text).toContain('\n  "result"');
    const roles = '/role?tenant=dev&pretty=';
    expect((await kernel.ask('admin', `${roles}true`)).text).toContain('\n  "result"');
    expect((await kernel.ask('admin', `${roles}false`)).text).not.toContain('\n');
  });
});

describe('a site administrator', () => {
  const admins = (tenant: string) => kernel.result(SITE_ADMIN, `/user/admins/${tenant}`);

  it('passes every check for a tenant admin in all tenants of the site', async () => {
    for (const tenant of ['dev', 'other', 'admin']) {
      const role = { roleTenant: tenant, roleName: 'from_above', description: 'd' };
      expect((await kernel.ask(SITE_ADMIN, '/role', { body: role })).status).toBe(201);
      const user = { tenant, user: 'somebody' };
      const grant = { ...user, permSpec: `systems:${tenant}:READ:a` };
      await kernel.result(SITE_ADMIN, '/user/grantUserPermission', grant);
      await kernel.result(SITE_ADMIN, '/user/grantAdminRole', user);
      expect(await kernel.result(SITE_ADMIN, '/user/isAdmin', user)).toEqual({
        isAuthorized: true,
      });
      await kernel.result(SITE_ADMIN, '/user/revokeAdminRole', user);
      expect((await kernel.ask(SITE_ADMIN, `/audit?tenant=${tenant}`)).status).toBe(200);
    }
  });

  it('is one in the admin tenant of the primary only, and is not made by a call', async () => {
    const admin = { tenant: 'admin', user: 'admin', orAdmin: true, permSpec: 'x:y' };
    expect(await kernel.result('tokens:t@admin', '/user/isPermitted', admin)).toEqual({
      isAuthorized: true,
    });
    const grant = { tenant: 'admin', user: 'x', roleName: 'site_admin', roleType: 'SITE_ADMIN' };
    for (const who of [SITE_ADMIN, 'tokens:t@admin'])
      expect((await kernel.ask(who, '/user/grantRole', { body: grant })).status).toBe(403);
    const made = {
      roleTenant: 'dev',
      roleName: 'site_admin',
      roleType: 'SITE_ADMIN',
      description: '',
    };
    expect((await kernel.ask(SITE_ADMIN, '/role', { body: made })).status).toBe(400);
    // the tenant admin of that tenant alone is none
    await kernel.result(SITE_ADMIN, '/user/grantAdminRole', { tenant: 'admin', user: 'second' });
    const role = { roleTenant: 'dev', roleName: 'mine', description: '' };
    expect((await kernel.ask('second@admin', '/role', { body: role })).status).toBe(403);
  });

  it('has a password that the tokens service may check', async () => {
    const secret = { tenant: 'admin', user: 'admin', data: { password: ' of admin ' } };
    await kernel.result(SITE_ADMIN, '/vault/secret/user/password', secret);
    const check = (user: string, password: string, who = 'tokens:tokens@admin') =>
      kernel.ask(who, '/vault/secret/validateSiteAdminPassword/password', {
        body: { tenant: 'admin', user, password },
      });
    expect((await check('admin', ' of admin ')).body.result).toEqual({ isAuthorized: true });
    for (const [user, password, who] of [
      ['admin', 'of admin'],
      ['admin', ''],
      ['nobody', ' of admin '],
      ['admin', ' of admin ', 'apps:apps@admin'],
      ['admin', ' of admin ', SITE_ADMIN],
    ])
      expect([400, 403]).toContain((await check(user!, password!, who)).status);
    // a password alone makes nobody an administrator
    const other = { tenant: 'admin', user: 'second', data: { password: 'known' } };
    await kernel.result('second@admin', '/vault/secret/user/password', other);
    expect((await check('second', 'known')).status).toBe(403);
  });

  it('has the work of the start repeated for tenants that changed', async () => {
    const { tenants } = kernel.double.directory;
    tenants.push({
      ...tenants[2]!,
      tenant_id: 'fresh',
      base_url: 'http://fresh.localhost',
      admin_user: 'boss',
    });
    expect((await kernel.ask(SITE_ADMIN, '/user/admins/fresh')).status).toBe(403);
    expect((await kernel.ask('admin', '/admin/reinitialize')).status).toBe(403);
    expect((await kernel.ask('tokens:t@admin', '/admin/reinitialize')).status).toBe(403);
    const first = await kernel.ask(SITE_ADMIN, '/admin/reinitialize');
    expect([first.status, first.body.message]).toEqual([
      200,
      expect.stringContaining('read again'),
    ]);
    expect(await admins('fresh')).toEqual({ names: ['boss'] });
    const query = '/user/withRole/fresh_token_generator?tenant=admin';
    expect(await kernel.result(SITE_ADMIN, query)).toEqual({ names: ['authenticator'] });
    const second = await kernel.ask(SITE_ADMIN, '/admin/reinitialize');
    expect([second.status, second.body.message]).toEqual([200, expect.stringContaining('ignored')]);
  });
});
