import { until } from '@libs/kit';
import { build, KernelProcess } from './kernel-process';
import { newMasterKey, RunningKernel } from './running-kernel';

const SITE_ADMIN = 'admin@admin';
const [k1, k2] = [newMasterKey('k1'), newMasterKey('k2')];
let kernel: RunningKernel;
beforeAll(async () => {
  build();
  kernel = await RunningKernel.start({ MASTER_KEY: k1 });
});
afterAll(() => kernel.close());

const path = (name: string) => `/vault/secret/user/${name}`;
const write = (on: RunningKernel, name: string) =>
  on.result('testuser1', path(name), { tenant: 'dev', user: 'testuser1', data: { k: name } });
const read = async (on: Pick<RunningKernel, 'ask'>, name: string) =>
  (await on.ask('testuser1', `${path(name)}?tenant=dev&user=testuser1`)).body.result?.secretMap;
/** Some at a time: there are many. */
async function each(names: string[], work: (name: string) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < names.length; i += 20) await Promise.all(names.slice(i, i + 20).map(work));
}
const state = (on: RunningKernel) => on.result(SITE_ADMIN, '/admin/rewrapSecrets');

it('replaces the master key while everything stays readable', async () => {
  const before = Array.from({ length: 120 }, (_, i) => `before${i}`);
  await each(before, (name) => write(kernel, name));
  // Step 1: every process knows the new key, the old one still wraps.
  await kernel.restart({ MASTER_KEY: `${k1},${k2}` });
  const old = kernel;
  await write(old, 'known');
  // Step 2: the new one wraps. Processes of both steps run beside each other and read what the other wrote.
  const next = await kernel.another({ MASTER_KEY: `${k2},${k1}` });
  await write(next, 'after');
  expect(await read(old, 'after')).toEqual({ k: 'after' });
  expect(await read(next, 'before7')).toEqual({ k: 'before7' });
  expect(await state(next)).toMatchObject({ running: false, currentKey: 'k2', remaining: 123 });
  // Step 3: what the old one wrapped is wrapped again, and read meanwhile.
  expect((await next.ask('admin', '/admin/rewrapSecrets', { method: 'POST' })).status).toBe(403);
  const started = await next.ask(SITE_ADMIN, '/admin/rewrapSecrets', { method: 'POST' });
  expect([started.status, started.body.result]).toMatchObject([200, { running: true }]);
  for (let i = 0; i < 120; i += 25)
    expect(await read(old, `before${i}`)).toEqual({ k: `before${i}` });
  await write(old, 'meanwhile');
  await until(async () => !((await state(next)) as { running: boolean }).running, 30_000);
  // Step 4: the old process is gone; what it wrote last is left, and wrapped by asking again.
  await next.ask(SITE_ADMIN, '/admin/rewrapSecrets', { method: 'POST' });
  await until(async () => ((await state(next)) as { remaining: number }).remaining === 0, 30_000);
  const only = await kernel.another({ MASTER_KEY: k2 });
  expect((await only.ask('testuser1', '/readycheck')).body.result).toMatchObject({
    vaultAccess: true,
  });
  for (const name of ['before0', 'before119', 'known', 'after', 'meanwhile'])
    expect(await read(only, name)).toEqual({ k: name });
  expect(
    await only.rows("SELECT action, object, jwt_user FROM audit WHERE action LIKE 'site.%'"),
  ).toEqual([1, 2].map(() => ({ action: 'site.rewrapSecrets', object: 'k2', jwt_user: 'admin' })));
});

it('says that it is not ready when a key that is needed is missing or wrong', async () => {
  const wrong = await kernel.another({
    MASTER_KEY: `${newMasterKey('k3')},${k2}`,
  });
  expect((await wrong.ask('testuser1', '/readycheck')).status).toBe(200);
  await expect(kernel.another({ MASTER_KEY: newMasterKey('k3') })).rejects.toThrow(
    '"k2" is not among',
  );
  await expect(kernel.another({ MASTER_KEY: newMasterKey('k2') })).rejects.toThrow(
    'MASTER_KEY "k2"',
  );
});

it('loses nothing when it is killed while it wraps again', async () => {
  const names = Array.from({ length: 500 }, (_, i) => `many${i}`);
  const on = await kernel.another({ MASTER_KEY: k2 });
  await each(names, (name) => write(on, name));
  let [now, next] = [k2, newMasterKey('k4')];
  const used = async () =>
    (await on.rows('SELECT key_id, count(*)::int AS n FROM secret_version GROUP BY key_id')) as {
      key_id: string;
      n: number;
    }[];
  let caught = 0;
  for (let round = 0; round < 3; round++) {
    const env = { ...kernel.settings, MASTER_KEY: `${next},${now}`, LOG_LEVEL: 'error' };
    const dying = await KernelProcess.start(kernel.double, env);
    void dying.ask(SITE_ADMIN, '/admin/rewrapSecrets', {}).catch(() => undefined);
    // as soon as the first secrets have the new key
    const id = next.split(':')[0];
    await until(async () => (await used()).some((u) => u.key_id === id), 20_000, 1);
    await dying.kill();
    if ((await used()).length > 1) caught++;
    const after = await kernel.another({ MASTER_KEY: `${next},${now}` });
    await each(
      names.filter((_, i) => i % 10 === round),
      async (name) => expect(await read(after, name)).toEqual({ k: name }),
    );
    await after.ask(SITE_ADMIN, '/admin/rewrapSecrets', { method: 'POST' });
    await until(
      async () => ((await state(after)) as { remaining: number }).remaining === 0,
      20_000,
    );
    [now, next] = [next, newMasterKey(`n${round}`)];
  }
  expect(caught).toBeGreaterThan(0);
  const last = await kernel.another({ MASTER_KEY: now });
  await each(names, async (name) => expect(await read(last, name)).toEqual({ k: name }));
});
