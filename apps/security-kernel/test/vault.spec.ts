import { randomBytes } from 'node:crypto';
import { RunningKernel } from './running-kernel';

let kernel: RunningKernel;
beforeAll(async () => {
  kernel = await RunningKernel.start();
});
afterAll(() => kernel.close());

const SYSTEMS = 'systems:testuser1@dev';
const place = 'sysid=s1&sysuser=u1&keytype=sshkey';
const owner = { tenant: 'dev', user: 'testuser1' };
const read = (who: string, type: string, name: string, query = '') =>
  kernel.ask(who, `/vault/secret/${type}/${name}?tenant=dev&user=testuser1${query}`);
const write = (who: string, type: string, name: string, data: object, query = '') =>
  kernel.ask(who, `/vault/secret/${type}/${name}?${query}`, { body: { ...owner, data } });

it('keeps versions of a secret, sealed', async () => {
  const secret = `topsecret-${randomBytes(8).toString('hex')}`;
  const first = await write(SYSTEMS, 'system', 'cred', { privateKey: secret }, place);
  expect([first.status, first.body.result]).toMatchObject([201, { version: 1, destroyed: false }]);
  expect(
    (await write(SYSTEMS, 'system', 'cred', { privateKey: 'second' }, place)).body.result.version,
  ).toBe(2);
  const got = async (query = '') => read(SYSTEMS, 'system', 'cred', `&${place}${query}`);
  expect((await got()).body.result.secretMap).toEqual({ privateKey: 'second' });
  expect((await got('&version=1')).body.result.secretMap).toEqual({ privateKey: secret });
  expect((await got('&version=9')).status).toBe(404);
  const dump = JSON.stringify(await kernel.rows('SELECT * FROM secret_version'));
  expect(dump).not.toContain(secret);
  expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
  expect(dump).toContain('"key_id":"k1"');
});

it.each([
  ['system', `&${place}`, 'systems:x@dev', ['apps:x@dev', 'files:x@dev', 'testuser1', 'admin']],
  ['jwtsigning', '', 'tokens:x@dev', ['systems:x@dev', 'testuser1']],
  ['dbcred', '&dbhost=h&dbname=d&dbservice=s', 'jobs:x@dev', ['testuser1', 'admin']],
  ['user', '', 'testuser1', ['testuser2', 'admin', 'systems:testuser1@dev', 'testuser1@other']],
])('secrets of type %s are for those who may', async (type, query, may, mayNot) => {
  expect((await write(may, type, 'one', { key: 'v' }, query)).status).toBe(201);
  expect((await read(may, type, 'one', query)).body.result.secretMap).toEqual({ key: 'v' });
  for (const who of mayNot) {
    expect((await read(who, type, 'one', query)).status).toBe(403);
    expect((await write(who, type, 'one', { key: 'w' }, query)).status).toBe(403);
  }
});

it('gives a service only its own', async () => {
  const mine = { tenant: 'admin', user: 'jobs' };
  const body = { ...mine, data: { key: 'v' } };
  const path = '/vault/secret/service/own';
  expect((await kernel.ask('jobs:jobs@admin', path, { body })).status).toBe(201);
  expect((await kernel.ask('apps:apps@admin', `${path}?tenant=admin&user=jobs`)).status).toBe(403);
  expect((await kernel.ask('jobs:jobs@admin', `${path}?tenant=admin&user=jobs`)).status).toBe(200);
});

it('deletes, brings back, destroys', async () => {
  const mark = async (what: string, versions: number[]) =>
    (
      await kernel.ask('testuser1', `/vault/secret/${what}/user/life`, {
        body: { ...owner, versions },
      })
    ).body.result;
  const status = async () => (await read('testuser1', 'user', 'life')).status;
  for (let i = 0; i < 12; i++) await write('testuser1', 'user', 'life', { n: String(i) });
  expect(await mark('delete', [0])).toEqual([12]);
  expect(await status()).toBe(404);
  expect(await mark('undelete', [12])).toEqual([12]);
  expect(await status()).toBe(200);
  expect(await mark('destroy', [0])).toEqual([12]);
  expect(await mark('undelete', [12])).toEqual([]);
  expect(await status()).toBe(404);
  const meta = await kernel.result(
    'testuser1',
    '/vault/secret/read/meta/user/life?tenant=dev&user=testuser1',
  );
  expect(meta).toMatchObject({ current_version: 12, oldest_version: 3, max_versions: 10 });
  const gone = await kernel.ask(
    'testuser1',
    '/vault/secret/destroy/meta/user/life?tenant=dev&user=testuser1',
    { method: 'DELETE' },
  );
  expect(gone.status).toBe(200);
  expect(
    (await kernel.ask('testuser1', '/vault/secret/read/meta/user/life?tenant=dev&user=testuser1'))
      .status,
  ).toBe(404);
});

it('lists folders and makes values', async () => {
  await write('testuser1', 'user', 'keys+github', { token: '<generate-secret>' });
  await write('testuser1', 'user', 'pair', { privateKey: '<generate-secret>' });
  const { keys } = (await kernel.result(
    'testuser1',
    '/vault/secret/list/meta/user?tenant=dev&user=testuser1',
  )) as { keys: string[] };
  expect(keys).toEqual(expect.arrayContaining(['keys/', 'pair']));
  expect((await read('testuser1', 'user', 'keys+github')).body.result.secretMap.token).toMatch(
    /^[0-9A-Za-z]{22}$/,
  );
  expect((await read('testuser1', 'user', 'pair')).body.result.secretMap).toMatchObject({
    privateKey: expect.stringContaining('BEGIN PRIVATE KEY'),
    publicKey: expect.stringContaining('BEGIN PUBLIC KEY'),
  });
});

it.each(['..', 'a+..+b', '+a', 'a++b', 'a%2Fb', 'a%00b', 'a b'])(
  'refuses the name %s',
  async (name) => {
    expect((await write('testuser1', 'user', name, { k: 'v' })).status).toBeGreaterThanOrEqual(400);
    expect((await write('testuser1', 'user', name, { k: 'v' })).status).toBeLessThan(500);
  },
);

it('checks passwords of services for the tokens service', async () => {
  const check = (user: string, password: string, who = 'tokens:tokens@admin') =>
    kernel.ask(who, '/vault/secret/validateServicePassword/password', {
      body: { tenant: 'admin', user, password },
    });
  expect((await check('systems', 'double')).body.result).toEqual({ isAuthorized: true });
  expect((await check('systems', 'jobs-secret')).status).toBe(403);
  expect((await check('nobody', 'x')).status).toBe(403);
  expect((await check('systems', 'double', 'apps:apps@admin')).status).toBe(403);
  expect((await check('systems', 'double', 'admin@admin')).status).toBe(403);
});

it('opens old secrets after the master key was replaced', async () => {
  await write('testuser1', 'user', 'old', { k: 'before' });
  const next = `k2:${randomBytes(32).toString('base64')}`;
  await kernel.restart({ MASTER_KEY: `${next},${kernel.masterKey}` });
  await write('testuser1', 'user', 'new', { k: 'after' });
  expect((await read('testuser1', 'user', 'old')).body.result.secretMap).toEqual({ k: 'before' });
  const rows = await kernel.rows(
    "SELECT DISTINCT key_id FROM secret_version v JOIN secret s ON s.id = v.secret_id WHERE path LIKE '%/new'",
  );
  expect(rows).toEqual([{ key_id: 'k2' }]);
});
