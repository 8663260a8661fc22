import { RunningRegistry } from './running-registry';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
});
afterAll(() => registry.close());
const ask: RunningRegistry['ask'] = (...args) => registry.ask(...args);

it('lists sites and tenants without a token', async () => {
  const sites = await ask('sites');
  expect(sites.status).toBe(200);
  expect(sites.body).toMatchObject({
    status: 'success',
    result: [{ site_id: 'primary', primary: true }],
  });
  const { result } = (await ask('tenants')).body;
  expect(result.map((t: { tenant_id: string }) => t.tenant_id)).toEqual(['admin', 'dev']);
  const [, dev] = result;
  expect(dev).toMatchObject({
    site_id: 'primary',
    status: 'ACTIVE',
    allowable_x_tenant_ids: ['dev'],
    is_owned_by_associate_site: false,
    service_ldap_connection_id: null,
    user_ldap_connection_id: null,
    public_key: registry.double.signer.publicKey.trim(),
  });
  for (const time of [dev.create_time, dev.last_update_time, sites.body.result[0].create_time])
    expect(new Date(time).toUTCString()).toBe(time);
});

it('shows one, whatever its status', async () => {
  expect((await ask('sites/primary')).body.result.services).toContain('systems');
  expect((await ask('tenants/other')).body.result).toMatchObject({
    status: 'DRAFT',
    public_key: null,
  });
  for (const path of ['sites/nowhere', 'tenants/nowhere']) {
    const { status, body } = await ask(path);
    expect([status, body.status, body.result]).toEqual([404, 'error', { name: 'nowhere' }]);
  }
});

it('lists drafts and inactive tenants when asked, and chosen attributes', async () => {
  const ids = async (query: string) =>
    (await ask(`tenants?${query}`)).body.result.map((t: { tenant_id: string }) => t.tenant_id);
  expect(await ids('show_draft=yes')).toEqual(['admin', 'dev', 'other']);
  expect(await ids('show_draft=')).toEqual(['admin', 'dev']);
  await registry.admin('PUT', 'tenants/dev', { status: 'inactive' });
  expect(await ids('')).toEqual(['admin']);
  expect(await ids('show_inactive=1&show_draft=1')).toEqual(['admin', 'dev', 'other']);
  await registry.admin('PUT', 'tenants/dev', { status: 'active' });
  const { result } = (await ask('tenants?select=tenant_id,base_url')).body;
  expect(Object.keys(result[0]).sort()).toEqual(['base_url', 'tenant_id']);
  const wrong = await ask('tenants?select=tenant_id,colour');
  expect([wrong.status, /colour.*public_key/.test(wrong.body.message)]).toEqual([400, true]);
  expect((await ask('tenants?show_all=yes')).status).toBe(400);
});

it('refuses methods and paths that are not there', async () => {
  expect((await ask('sites', { method: 'PUT', headers: registry.double.as() })).status).toBe(405);
  expect((await ask('tenants/a/b/c')).status).toBe(404);
});

it('is alive and ready without a token', async () => {
  for (const path of ['tenants/hello', 'tenants/ready']) {
    const { status, body } = await ask(path);
    expect([status, body.result]).toEqual([200, '']);
  }
  for (const path of ['tenants/healthcheck', 'sites/readycheck'])
    expect((await ask(path)).body.result).toHaveProperty('checkNum');
});

it('keeps what is registered when it starts again, and learns of new services of its site', async () => {
  await registry.stop();
  const [site] = JSON.parse(registry.env['SEED_SITES']!) as { services: string[] }[];
  const changed = { ...site, base_url: 'http://elsewhere', services: [...site!.services, 'meta'] };
  registry.env['SEED_SITES'] = JSON.stringify([changed]);
  registry.env['SEED_TENANTS'] = JSON.stringify([]);
  await registry.begin();
  expect((await ask('tenants?show_draft=1')).body.result).toHaveLength(3);
  const [kept] = (await ask('sites')).body.result;
  expect(kept.base_url).not.toContain('elsewhere');
  expect(kept.services).toEqual(expect.arrayContaining(['systems', 'meta']));
});
