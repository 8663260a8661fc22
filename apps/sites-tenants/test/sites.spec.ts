import { aSite, aTenant, newKey, RunningRegistry } from './running-registry';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
});
afterAll(() => registry.close());

it('makes an associate, changes it, and deletes it while it has no tenant', async () => {
  const made = await registry.admin('POST', 'sites', aSite('west'));
  expect([made.status, made.body.result]).toEqual([
    201,
    {
      ...aSite('west'),
      tenant_base_url_template: null,
      create_time: expect.stringMatching(/ GMT$/),
      last_update_time: expect.stringMatching(/ GMT$/),
      created_by: 'admin@admin',
      last_updated_by: 'admin@admin',
    },
  ]);
  const services = ['files', 'security', 'tokens'];
  const changed = await registry.admin('PUT', 'sites/west', {
    services,
    base_url: 'https://West.example.org/',
  });
  expect([changed.status, changed.body.result]).toMatchObject([
    200,
    { services, base_url: 'https://west.example.org', site_admin_tenant_id: 'west-admin' },
  ]);
  const admin = aTenant('west-admin', { site_id: 'west', public_key: newKey(), status: 'active' });
  const tenant = await registry.admin('POST', 'tenants', admin);
  expect([tenant.status, tenant.body.result.is_owned_by_associate_site]).toEqual([201, true]);
  expect((await registry.admin('DELETE', 'sites/west')).status).toBe(409);

  await registry.admin('POST', 'sites', aSite('gone'));
  const deleted = await registry.admin('DELETE', 'sites/gone');
  expect([deleted.status, deleted.body.result]).toEqual([200, null]);
  expect((await registry.ask('sites/gone')).status).toBe(404);
  expect((await registry.admin('DELETE', 'sites/gone')).status).toBe(404);
  expect((await registry.admin('PUT', 'sites/gone', { services: [] })).status).toBe(404);
});

it.each([
  ['a second primary', { primary: true, tenant_base_url_template: 'https://${tenant_id}.b.org' }],
  ['a template of an associate', { tenant_base_url_template: 'https://${tenant_id}.b.org' }],
  ['no admin tenant', { site_admin_tenant_id: undefined }],
  ['a service with odd letters', { services: ['sys tems'] }],
  ['an address with a path', { base_url: 'https://b.org/v3' }],
  ['a word of the path as id', { site_id: 'Hello' }],
  ['something unknown', { colour: 'red' }],
  ['an author', { created_by: 'me' }],
])('refuses %s', async (_what, more) => {
  const { status, body } = await registry.admin('POST', 'sites', aSite('bad', more));
  expect([status, body.result]).toEqual([400, null]);
});

it('says everything that is wrong at once', async () => {
  const { status, body } = await registry.admin('POST', 'sites', {
    site_id: 'hello',
    primary: true,
    base_url: 'nowhere',
    services: 'all',
    more: 1,
  });
  expect(status).toBe(400);
  for (const name of [
    'site_id',
    'template',
    'base_url',
    'services',
    'more',
    'has a primary',
    'site_admin_tenant_id',
  ])
    expect(body.message).toContain(name);
});

it('refuses what another site has', async () => {
  await registry.admin('POST', 'sites', aSite('north'));
  for (const more of [
    { site_id: 'north' },
    { base_url: 'https://NORTH-admin.example.org' },
    { site_admin_tenant_id: 'north-admin' },
    { site_admin_tenant_id: 'dev' },
  ])
    expect((await registry.admin('POST', 'sites', aSite('south', more))).status).toBe(409);
  const taken = { base_url: registry.double.directory.sites[0]!.base_url };
  expect((await registry.admin('PUT', 'sites/north', taken)).status).toBe(409);
});

it('keeps the primary site whole', async () => {
  expect((await registry.admin('DELETE', 'sites/primary')).status).toBe(400);
  const put = (body: object) => registry.admin('PUT', 'sites/primary', body);
  for (const template of [null, 'https://example.org', '${tenant_id}'])
    expect((await put({ tenant_base_url_template: template })).status).toBe(400);
  expect((await put({ primary: false })).status).toBe(400);
  const template = 'https://${tenant_id}.example.net';
  const { status, body } = await put({ tenant_base_url_template: template });
  expect([status, body.result.tenant_base_url_template]).toEqual([200, template]);
});

it('is written by people and services of the primary who may', async () => {
  const { double } = registry;
  const post = (headers: Record<string, string>) =>
    registry.ask('sites', { headers, body: aSite('east') });
  expect((await post({})).status).toBe(401);
  expect((await post(double.as('admin', 'dev'))).status).toBe(403);
  double.security.giveRole('dev', 'admin', 'tenant_creator');
  expect((await post(double.as('admin', 'dev'))).status).toBe(403);
  expect((await post(double.as('other', 'admin'))).status).toBe(403);
  expect((await post(double.asService('systems', 'systems', 'admin'))).status).toBe(403);
  double.security.giveRole('admin', 'tenants', 'tenant_creator');
  expect((await post(double.asService('tenants', 'tenants', 'admin'))).status).toBe(201);
  for (const method of ['PUT', 'DELETE']) {
    const options = { method, body: {}, headers: double.as('admin', 'dev') };
    expect((await registry.ask('sites/east', options)).status).toBe(403);
  }
});

it('takes JSON only', async () => {
  const headers = { ...registry.double.as('admin', 'admin'), 'content-type': 'text/plain' };
  expect((await registry.ask('sites', { headers, body: 'site' })).status).toBe(415);
});
