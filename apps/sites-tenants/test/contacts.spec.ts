import { aTenant, RunningRegistry } from './running-registry';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
});
afterAll(() => registry.close());
const admin: RunningRegistry['admin'] = (...args) => registry.admin(...args);

const owner = { name: 'A. Person', email: 'a.person@example.org', institution: 'An institute' };
const ldap = {
  ldap_id: 'people',
  url: 'ldaps://ldap.example.org',
  port: 636,
  use_ssl: true,
  user_dn: 'ou=people,dc=example,dc=org',
  bind_dn: 'cn=reader,dc=example,dc=org',
  bind_credential: 'ldap.people',
  account_type: 'user',
};
const times = {
  create_time: expect.stringMatching(/ GMT$/),
  last_update_time: expect.stringMatching(/ GMT$/),
};

describe.each([
  ['owners', owner, owner.email, { email: 'not an address', institution: undefined, phone: 1 }],
  [
    'ldaps',
    ldap,
    ldap.ldap_id,
    { port: 'many', account_type: 'robot', bind_credential: 'pa$$', dn: 1 },
  ],
])('%s', (path, record, id, wrong) => {
  it('are made, read and deleted', async () => {
    const made = await admin('POST', `tenants/${path}`, record);
    expect([made.status, made.body.result]).toEqual([201, { ...record, ...times }]);
    expect((await admin('POST', `tenants/${path}`, record)).status).toBe(409);
    expect((await admin('GET', `tenants/${path}/${id}`)).body.result).toEqual(made.body.result);
    expect((await admin('GET', `tenants/${path}`)).body.result).toContainEqual(made.body.result);
    const deleted = await admin('DELETE', `tenants/${path}/${id}`);
    expect([deleted.status, deleted.body.result]).toEqual([200, null]);
    expect((await admin('DELETE', `tenants/${path}/${id}`)).status).toBe(404);
    expect((await admin('GET', `tenants/${path}/${id}`)).status).toBe(404);
    expect((await admin('PUT', `tenants/${path}/${id}`, record)).status).toBe(405);
  });

  it('tell everything that is wrong at once', async () => {
    const { status, body } = await admin('POST', `tenants/${path}`, { ...record, ...wrong });
    expect(status).toBe(400);
    for (const name of Object.keys(wrong)) expect(body.message).toContain(name);
  });

  it('are read with any valid token, written by who may', async () => {
    const { double } = registry;
    const url = `tenants/${path}`;
    expect((await registry.ask(url)).status).toBe(401);
    expect((await registry.ask(`${url}/${id}`)).status).toBe(401);
    expect((await registry.ask(url, { headers: double.as('testuser1') })).status).toBe(200);
    for (const [method, at] of [
      ['POST', url],
      ['DELETE', `${url}/${id}`],
    ] as const) {
      const answer = await registry.ask(at, { method, body: record, headers: double.as('admin') });
      expect(answer.status).toBe(403);
    }
  });
});

it('are not deleted while a tenant refers to them', async () => {
  await admin('POST', 'tenants/owners', owner);
  await admin('POST', 'tenants/ldaps', ldap);
  const refers = { owner: owner.email, user_ldap_connection_id: ldap.ldap_id };
  const made = await admin('POST', 'tenants', aTenant('lab', refers));
  expect([made.status, made.body.result]).toMatchObject([201, refers]);
  expect((await admin('DELETE', `tenants/owners/${owner.email}`)).status).toBe(409);
  expect((await admin('DELETE', `tenants/ldaps/${ldap.ldap_id}`)).status).toBe(409);
  const cleared = await admin('PUT', 'tenants/lab', {
    owner: 'o@example.org',
    user_ldap_connection_id: null,
  });
  expect(cleared.body.result).toMatchObject({ user_ldap_connection_id: null });
  expect((await admin('DELETE', `tenants/owners/${owner.email}`)).status).toBe(200);
  expect((await admin('DELETE', `tenants/ldaps/${ldap.ldap_id}`)).status).toBe(200);
});

it('the history of a tenant needs a token', async () => {
  expect((await registry.ask('tenants/dev/history')).status).toBe(401);
  const headers = registry.double.as('testuser1');
  expect((await registry.ask('tenants/dev/history', { headers })).status).toBe(200);
});
