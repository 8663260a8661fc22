import { randomBytes } from 'node:crypto';
import { until } from '@libs/kit';
import { KvDouble } from './kv-double';
import { RunningKernel } from './running-kernel';

let kv: KvDouble;
beforeAll(async () => {
  kv = await KvDouble.start('kept/here');
});
afterAll(() => kv.close());

const owner = { tenant: 'dev', user: 'testuser1' };

describe.each([
  ['PostgreSQL', () => ({})],
  [
    'a key-value server with a token',
    () => ({ VAULT_URL: kv.url, VAULT_MOUNT: 'kept/here', VAULT_TOKEN: kv.rootToken }),
  ],
  [
    'a key-value server with an AppRole and a namespace',
    () => ({
      VAULT_URL: `${kv.url}/`,
      VAULT_MOUNT: 'kept/here',
      VAULT_ROLE_ID: kv.roleId,
      VAULT_SECRET_ID: kv.secretId,
      VAULT_NAMESPACE: 'research/dev',
    }),
  ],
])('secrets in %s', (_, settings) => {
  let kernel: RunningKernel;
  const path = (name: string, query = '') =>
    `/vault/secret/user/${name}?tenant=dev&user=testuser1${query}`;
  const write = async (name: string, data: object) =>
    (await kernel.ask('testuser1', `/vault/secret/user/${name}`, { body: { ...owner, data } })).body
      .result;
  const read = (name: string, query = '') => kernel.ask('testuser1', path(name, query));
  const values = async (name: string, query = '') =>
    (await read(name, query)).body.result.secretMap;
  const mark = (what: string, name: string, versions: number[]) =>
    kernel.result('testuser1', `/vault/secret/${what}/user/${name}`, { ...owner, versions });
  const meta = (name: string) =>
    kernel.ask('testuser1', `/vault/secret/read/meta/user/${name}?tenant=dev&user=testuser1`);
  const erase = (name: string) =>
    kernel.ask('testuser1', `/vault/secret/destroy/meta/user/${name}?tenant=dev&user=testuser1`, {
      method: 'DELETE',
    });
  const list = async () =>
    (await kernel.ask('testuser1', '/vault/secret/list/meta/user?tenant=dev&user=testuser1')).body
      .result;

  beforeAll(async () => {
    kernel = await RunningKernel.start(settings());
    await erase('folder');
  });
  afterAll(() => kernel.close());

  it('are versioned', async () => {
    await erase('v');
    expect(await write('v', { k: 'one' })).toMatchObject({
      version: 1,
      destroyed: false,
      deletion_time: null,
      created_time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await write('v', { k: 'two', more: 'ä\n"' })).toMatchObject({ version: 2 });
    expect(await values('v')).toEqual({ k: 'two', more: 'ä\n"' });
    expect(await values('v', '&version=1')).toEqual({ k: 'one' });
    expect((await read('v', '&version=1')).body.result.metadata).toMatchObject({ version: 1 });
    for (const [name, query] of [
      ['v', '&version=3'],
      ['nothing', ''],
    ])
      expect((await read(name!, query)).status).toBe(404);
    expect((await meta('nothing')).status).toBe(404);
  });

  it('keep ten versions', async () => {
    await erase('many');
    for (let i = 1; i <= 12; i++) await write('many', { n: String(i) });
    const { result } = (await meta('many')).body;
    expect(result).toMatchObject({ current_version: 12, oldest_version: 3, max_versions: 10 });
    expect(result.versions.map((v: { version: number }) => v.version)).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect((await read('many', '&version=2')).status).toBe(404);
    expect(await values('many', '&version=3')).toEqual({ n: '3' });
  });

  it('are deleted, brought back and destroyed, version by version', async () => {
    await erase('life');
    for (const n of ['1', '2', '3']) await write('life', { n });
    expect(await mark('delete', 'life', [0])).toEqual([3]);
    expect((await read('life')).status).toBe(404);
    expect(await values('life', '&version=2')).toEqual({ n: '2' });
    expect(await mark('delete', 'life', [1, 2, 9])).toEqual([1, 2]);
    expect(await mark('undelete', 'life', [])).toEqual([1, 2, 3]);
    expect(await values('life')).toEqual({ n: '3' });
    expect(await mark('destroy', 'life', [2])).toEqual([2]);
    expect(await mark('undelete', 'life', [2])).toEqual([]);
    expect((await read('life', '&version=2')).status).toBe(404);
    const { versions } = (await meta('life')).body.result;
    expect(versions.map((v: { destroyed: boolean }) => v.destroyed)).toEqual([false, true, false]);
    expect(await mark('delete', 'nothing', [])).toEqual([]);
  });

  it('are listed by folder, and erased with what is below', async () => {
    for (const name of ['folder', 'folder+a', 'folder+b+c', 'folderol'])
      await write(name, { k: 'v' });
    const { secretPath, keys } = await list();
    expect(secretPath).toBe('secret/svc/tenant/dev/user/testuser1/kv/');
    expect(keys.filter((key: string) => key.startsWith('folder'))).toEqual([
      'folder',
      'folder/',
      'folderol',
    ]);
    expect((await erase('folder')).status).toBe(200);
    expect((await list()).keys.filter((key: string) => key.startsWith('folder'))).toEqual([
      'folderol',
    ]);
    expect((await read('folder+b+c')).status).toBe(404);
    expect((await erase('folder')).status).toBe(200);
  });

  it('of one tenant and user are not those of another', async () => {
    const mine = `mine-${randomBytes(4).toString('hex')}`;
    await write(mine, { k: 'v' });
    const other = { tenant: 'other', user: 'testuser1' };
    const there = `/vault/secret/user/${mine}`;
    expect(
      (await kernel.ask('testuser1@other', `${there}?tenant=other&user=testuser1`)).status,
    ).toBe(404);
    await kernel.result('testuser1@other', there, { ...other, data: { k: 'theirs' } });
    expect(await values(mine)).toEqual({ k: 'v' });
  });

  it('are asked for: what is named in a path cannot lead elsewhere', async () => {
    for (const name of ['a..b', 'a+..+b', 'a%2Fb', 'a%3Fversion=1'])
      expect((await read(name)).status).toBe(400);
  });

  it('serve as passwords of services', async () => {
    const check = (password: string) =>
      kernel.ask('tokens:tokens@admin', '/vault/secret/validateServicePassword/password', {
        body: { tenant: 'admin', user: 'systems', password },
      });
    expect((await check('double')).status).toBe(200);
    expect((await check('double ')).status).toBe(403);
  });

  it('leave a record, without their values', async () => {
    const secret = randomBytes(12).toString('hex');
    await write('told', { token: secret });
    await erase('told');
    const log = await kernel.rows("SELECT * FROM audit WHERE object LIKE '%/told' ORDER BY id");
    expect(log.map(({ action }) => action)).toEqual(['secret.write', 'secret.erase']);
    expect(JSON.stringify(await kernel.rows('SELECT * FROM audit'))).not.toContain(secret);
  });

  it('make the service ready', async () => {
    const ready = await kernel.ask('testuser1', '/readycheck');
    expect([ready.status, ready.body.result]).toMatchObject([200, { vaultAccess: true }]);
  });
});

describe('a key-value server', () => {
  const start = (more: Record<string, string> = {}) =>
    RunningKernel.start({
      VAULT_URL: kv.url,
      VAULT_MOUNT: 'kept/here',
      VAULT_ROLE_ID: kv.roleId,
      VAULT_SECRET_ID: kv.secretId,
      ...more,
    });
  const read = (kernel: RunningKernel) =>
    kernel.ask('jobs:jobs@admin', '/vault/secret/service/password?tenant=admin&user=jobs');

  it('is used with the namespace and, in PostgreSQL, there is nothing', async () => {
    expect(kv.namespaces).toContain('research/dev');
    const kernel = await start();
    expect((await read(kernel)).body.result.secretMap).toEqual({ password: 'jobs-secret' });
    expect(await kernel.rows('SELECT * FROM secret')).toEqual([]);
    expect(kv.dump()).toContain('svc/tenant/admin/service/jobs/kv/password');
    await kernel.close();
  });

  it('is logged in to again when the token is gone', async () => {
    const kernel = await start();
    const { logins } = kv;
    kv.revokeAll();
    const answers = await Promise.all([read(kernel), read(kernel), read(kernel)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(kv.logins).toBe(logins + 1);
    await kernel.close();
  });

  it('has the token renewed before it runs out', async () => {
    kv.lease = 1;
    const kernel = await start();
    const { renewals } = kv;
    await until(() => kv.renewals >= renewals + 2, 10_000);
    expect((await read(kernel)).status).toBe(200);
    await kernel.close();
    kv.lease = 3600;
  });

  it('that is sealed or gone makes the kernel unready, and is named', async () => {
    const mine = await KvDouble.start();
    const kernel = await RunningKernel.start({
      VAULT_URL: mine.url,
      VAULT_TOKEN: mine.rootToken,
    });
    const state = async () => {
      const ready = await kernel.ask('testuser1', '/readycheck');
      const answer = await read(kernel);
      return [ready.status, ready.body.result.vaultAccess, answer.status, answer.body.message];
    };
    expect((await state()).slice(0, 3)).toEqual([200, true, 200]);
    mine.sealed = true;
    expect(await state()).toEqual([
      503,
      false,
      503,
      expect.stringMatching(/^SK_VAULT_NOT_READY .*sealed/),
    ]);
    mine.sealed = false;
    expect((await state()).slice(0, 3)).toEqual([200, true, 200]);
    await mine.close();
    expect((await state()).slice(0, 3)).toEqual([503, false, 502]);
    await kernel.close();
  });

  it('without a way to log in is an error of the settings', async () => {
    await expect(RunningKernel.start({ VAULT_URL: kv.url })).rejects.toThrow('VAULT_ROLE_ID');
    const wrong = { VAULT_SECRET_ID: 'wrong' };
    await expect(start(wrong)).rejects.toThrow('400');
  });
});
