import { tenantsChanged } from '@libs/messages';
import { MessageBus } from '@libs/messaging';
import { keyId } from '@libs/auth';
import { until } from '@libs/kit';
import { aTenant, newKey, RunningRegistry } from './running-registry';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
});
afterAll(() => registry.close());
const admin: RunningRegistry['admin'] = (...args) => registry.admin(...args);
const put = (id: string, body: object) => admin('PUT', `tenants/${id}`, body);

describe('a new tenant', () => {
  it('is a draft, unless it comes with a key', async () => {
    const made = await admin('POST', 'tenants', aTenant('lab'));
    expect([made.status, made.body.result]).toMatchObject([
      201,
      {
        ...aTenant('lab'),
        status: 'DRAFT',
        public_key: null,
        service_ldap_connection_id: null,
        user_ldap_connection_id: null,
        allowable_x_tenant_ids: ['lab'],
        is_owned_by_associate_site: false,
        created_by: 'admin@admin',
      },
    ]);
    const body = aTenant('ready2go', { status: 'active', public_key: newKey() });
    expect((await admin('POST', 'tenants', body)).body.result.status).toBe('ACTIVE');
  });

  it.each([
    ['a word of the path as id', { tenant_id: 'Owners' }],
    ['odd letters in the id', { tenant_id: 'a_b' }],
    ['a long id', { tenant_id: 'a'.repeat(51) }],
    ['an unknown site', { site_id: 'nowhere' }],
    ['an unknown owner', { owner: 'nobody@example.org' }],
    ['an unknown directory', { user_ldap_connection_id: 'none' }],
    ['no key when active', { status: 'ACTIVE' }],
    ['no key when inactive', { status: 'INACTIVE' }],
    ['a key that is none', { public_key: 'abc' }],
    [
      'a private key',
      { public_key: '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----' },
    ],
    ['an unknown status', { status: 'deleted' }],
    ['no services for tokens', { token_gen_services: undefined }],
    ['no administrator', { admin_user: undefined }],
    ['an address with a path', { base_url: 'https://x.example.org/a' }],
    ['earlier keys', { public_keys: [] }],
    ['what is derived', { is_owned_by_associate_site: true }],
  ])('is refused with %s', async (_what, more) => {
    const { status, body } = await admin('POST', 'tenants', aTenant('bad', more));
    expect([status, body.result]).toEqual([400, null]);
    expect(body.message).toContain(Object.keys(more)[0]);
  });

  it('is told everything that is wrong at once', async () => {
    const { base_url: _, ...body } = aTenant('hello', {
      owner: 'nobody@example.org',
      site_id: 'x',
    });
    const wrong = { ...body, admin_user: 5, status: 'active', extra: 1 };
    const { status, body: answer } = await admin('POST', 'tenants', wrong);
    expect(status).toBe(400);
    for (const name of [
      'tenant_id',
      'base_url',
      'owner',
      'site_id',
      'admin_user',
      'public_key',
      'extra',
    ])
      expect(answer.message).toContain(name);
  });

  it('has an id and an address of its own', async () => {
    await admin('POST', 'tenants', aTenant('first'));
    for (const more of [
      { tenant_id: 'first' },
      { tenant_id: 'FIRST' },
      { base_url: 'https://First.example.org:443/' },
    ])
      expect((await admin('POST', 'tenants', aTenant('second', more))).status).toBe(409);
    // the primary's template leads this address to tenant dev
    const port = new URL(registry.double.url).port;
    const taken = { base_url: `http://dev.localhost:${port}` };
    expect((await admin('POST', 'tenants', aTenant('second', taken))).status).toBe(400);
    const own = { base_url: `http://second.localhost:${port}` };
    expect((await admin('POST', 'tenants', aTenant('second', own))).status).toBe(201);
  });
});

describe('a change of a tenant', () => {
  it('is written down with what was and what is', async () => {
    await admin('POST', 'tenants', aTenant('kept'));
    await put('kept', { description: 'a lab', admin_user: 'boss' });
    await put('kept', { status: 'draft' });
    const { body } = await admin('GET', 'tenants/kept/history');
    expect(body.result).toEqual([
      {
        tenant_id: 'kept',
        update_time: expect.stringMatching(/ GMT$/),
        updated_by: 'admin@admin',
        updates: { description: { prev: '', new: 'a lab' } },
      },
      expect.objectContaining({ updates: {} }),
    ]);
    expect((await admin('GET', 'tenants/nowhere/history')).status).toBe(404);
  });

  it('never touches id, address and site, and names them', async () => {
    for (const [name, value] of Object.entries(aTenant('kept')).slice(0, 3)) {
      const { status, body } = await put('dev', { [name]: value });
      expect([status, body.message.includes(name)]).toEqual([400, true]);
    }
  });

  it('says everything that is wrong at once', async () => {
    const wrong = {
      owner: 'nobody@example.org',
      user_ldap_connection_id: 'x',
      public_key: 'y',
      colour: 1,
    };
    const { status, body } = await put('dev', wrong);
    expect(status).toBe(400);
    for (const name of Object.keys(wrong)) expect(body.message).toContain(name);
    expect((await put('nowhere', { colour: 1 })).status).toBe(400);
    expect((await put('nowhere', {})).status).toBe(404);
  });

  it('is not done to another version than If-Match names', async () => {
    const { headers } = await registry.ask('tenants/dev');
    const change = (description: string) =>
      registry.ask('tenants/dev', {
        method: 'PUT',
        body: { description },
        headers: { ...registry.double.as('admin', 'admin'), 'if-match': headers['etag'] as string },
      });
    expect((await change('one')).status).toBe(200);
    expect((await change('two')).status).toBe(412);
    expect((await registry.ask('tenants/dev')).body.result.description).toBe('one');
  });

  it('is told to every service', async () => {
    const told: unknown[] = [];
    const bus = registry.service.get<MessageBus>(MessageBus as never);
    const listening = await bus.subscribe(tenantsChanged, (event) => void told.push(event));
    await put('dev', { description: `changed ${Date.now()}` });
    await until(() => told.length > 0);
    expect(told).toHaveLength(1);
    await listening.stop();
  });
});

describe('the status of a tenant', () => {
  it('goes from DRAFT to ACTIVE with a key, and on to INACTIVE and back', async () => {
    await admin('POST', 'tenants', aTenant('states'));
    const active = async () =>
      (await registry.ask('tenants')).body.result.some(
        (t: { tenant_id: string }) => t.tenant_id === 'states',
      );
    expect((await put('states', { status: 'active' })).status).toBe(400);
    expect((await put('states', { status: 'inactive', public_key: newKey() })).status).toBe(409);
    expect(await active()).toBe(false);
    const public_key = newKey();
    const made = await put('states', { status: 'Active', public_key });
    expect([made.status, made.body.result.status]).toEqual([200, 'ACTIVE']);
    expect(await active()).toBe(true);
    expect((await put('states', { status: 'DRAFT' })).status).toBe(409);
    expect((await put('states', { status: 'inactive' })).body.result.status).toBe('INACTIVE');
    expect(await active()).toBe(false);
    expect((await put('states', { status: 'active' })).status).toBe(200);
  });

  it('stays ACTIVE for whom administers a site', async () => {
    expect((await put('admin', { status: 'inactive' })).status).toBe(409);
  });

  it('ends in no deletion', async () => {
    expect((await admin('DELETE', 'tenants/dev')).status).toBe(501);
    expect((await admin('DELETE', 'tenants/nowhere')).status).toBe(404);
    const headers = registry.double.as();
    expect((await registry.ask('tenants/dev', { method: 'DELETE', headers })).status).toBe(403);
  });
});

describe('who may change a tenant', () => {
  const by = (headers: Record<string, string>, id = 'other', body: object = { description: 'x' }) =>
    registry.ask(`tenants/${id}`, { method: 'PUT', headers, body });

  it('is who holds the role in it, for it alone', async () => {
    const { double } = registry;
    expect((await by({})).status).toBe(401);
    expect((await by(double.as('helper', 'dev'), 'dev')).status).toBe(403);
    double.security.giveRole('dev', 'helper', 'tenant_definition_updater');
    expect((await by(double.as('helper', 'dev'), 'dev')).status).toBe(200);
    expect((await by(double.as('helper', 'dev'), 'other')).status).toBe(403);
  });

  it('is a service of its site with the role', async () => {
    const { double } = registry;
    const as = (name: string) => double.asService(name, name, 'admin');
    expect((await by(as('systems'))).status).toBe(403);
    expect((await by(as('tokens'))).status).toBe(403);
    double.security.giveRole('admin', 'tokens', 'tenant_definition_updater');
    const key = newKey();
    const keys = [{ kid: await keyId(key), public_key: key }];
    const given = { public_key: key, public_keys: keys, status: 'ACTIVE' };
    const answer = await by(as('tokens'), 'other', given);
    expect([answer.status, answer.body.result.status]).toEqual([200, 'ACTIVE']);
    expect((await by(as('tokens'), 'nowhere')).status).toBe(404);
    expect((await by(as('tenants'))).status).toBe(200);
  });

  it('is no person of the administrative tenant without the role', async () => {
    expect((await by(registry.double.as('somebody', 'admin'))).status).toBe(403);
  });
});

describe('who may make one', () => {
  it('is who holds tenant_creator in the primary tenant, or administers the site', async () => {
    const { double } = registry;
    const post = (headers: Record<string, string>) =>
      registry.ask('tenants', { headers, body: aTenant('made') });
    expect((await post({})).status).toBe(401);
    expect((await post(double.as('admin', 'dev'))).status).toBe(403);
    expect((await post(double.as('maker', 'admin'))).status).toBe(403);
    double.security.giveRole('admin', 'maker', 'tenant_creator');
    expect((await post(double.as('maker', 'admin'))).status).toBe(201);
  });
});
