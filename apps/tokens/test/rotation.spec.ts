import { decodeProtectedHeader } from 'jose';
import { keyId, Tenants } from '@libs/auth';
import { call, freshDatabase, PlatformDouble, until, type CallOptions } from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { Housekeeping } from '../src/actions/housekeeping';
import { KeyLivesStore } from '../src/store/key-lives.store';
import { tokens } from '../src/service';

let double: PlatformDouble;
let service: RunningService;
let at: Listening;

beforeAll(async () => {
  double = await PlatformDouble.start();
  Object.assign(dev(), { public_key: null, created_by: 'tenants@admin' });
  double.security.giveRole('admin', 'authenticator', 'dev_token_generator');
  double.security.giveRole('admin', 'tokens', 'tenant_definition_updater');
  double.security.giveRole('admin', 'boss', '$~site_admin');
  service = await createService(
    tokens,
    double.env({
      LOG_LEVEL: 'silent',
      DATABASE_URL: freshDatabase(),
      SITE_ADMIN_PRIVATE_KEY: double.signer.privateKeyPem,
    }),
  );
  at = await listen(service.handler, '127.0.0.1', 0);
  await until(() => service.ready());
});
afterAll(async () => {
  await at.close(100);
  await service.close();
  await double.close();
});

const dev = () => double.directory.tenants[1]!;
const ask = (path: string, options?: CallOptions) => call(`${at.url}/v3/tokens${path}`, options);
const rotate = (headers = double.asService('tokens', 'tokens', 'admin'), tenant_id = 'dev') =>
  ask('/keys', { method: 'PUT', headers, body: { tenant_id } });
const make = async (access_token_ttl = 3600): Promise<string> => {
  const headers = double.asService('authenticator', 'authenticator', 'admin');
  const wanted = { account_type: 'user', token_tenant_id: 'dev', token_username: 'testuser1' };
  const { body } = await ask('', { headers, body: { ...wanted, access_token_ttl } });
  return body.result.access_token.access_token;
};
/** 403 for a good token: its owner may not do this. */
const isGood = async (token: string) => (await rotate({ 'X-Svc-Token': token })).status === 403;
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

it('gives a key that signs from now on, and leaves earlier tokens good', async () => {
  const before = await make();
  const { status, body } = await rotate();
  expect([status, body.result.public_key]).toEqual([200, dev().public_key]);
  const after = await make();
  expect(kidOf(after)).toBe(await keyId(body.result.public_key));
  expect(kidOf(before)).not.toBe(kidOf(after));
  expect([await isGood(before), await isGood(after)]).toEqual([true, true]);
  const [current, earlier] = dev().public_keys!;
  expect([current!.kid, current!.until]).toEqual([kidOf(after), undefined]);
  expect(earlier!.kid).toBe(kidOf(before));
  const left = Date.parse(earlier!.until!) - Date.now();
  expect(left).toBeGreaterThan(3_590_000);
  expect(left).toBeLessThan(7_300_000);
});

it('keeps no key that signed nothing', async () => {
  await rotate();
  const unused = dev().public_key;
  await rotate();
  expect(dev().public_keys!.map((k) => k.public_key)).not.toContain(unused);
});

it('drops an earlier key when its last token has expired', async () => {
  const token = await make();
  await rotate();
  const lives = service.get<KeyLivesStore>(KeyLivesStore as never);
  const ended = new Map([[kidOf(token)!, new Date(Date.now() - 1000)]]);
  const ages = jest.spyOn(lives, 'of').mockImplementation(() => Promise.resolve(ended));
  await service.get<Housekeeping>(Housekeeping as never).run();
  ages.mockRestore();
  expect(dev().public_keys!.map(({ kid }) => kid)).not.toContain(kidOf(token));
  await service.get<Tenants>(Tenants as never).refresh();
  expect(await isGood(token)).toBe(false);
});

it('signs with the key that the record names, whatever else was made', async () => {
  const key = kidOf(await make());
  // a rotation that went no further than the secret
  await call(`${double.url}/v3/security/vault/secret/jwtsigning/dev+keys`, {
    headers: double.asService('tokens', 'tokens', 'admin'),
    body: { tenant: 'admin', user: 'tokens', data: { keys: '<generate-secret>' } },
  });
  Object.assign(dev(), { base_url: `${dev().base_url}/` }); // a change: nobody goes on with what he has in memory
  await service.get<Tenants>(Tenants as never).refresh();
  expect(kidOf(await make())).toBe(key);
  await rotate();
  expect(kidOf(await make())).not.toBe(key);
});

it('is for who holds the role in the tenant or its site, and for site administrators', async () => {
  expect((await rotate(double.asService('jobs', 'jobs', 'admin'))).status).toBe(403);
  expect((await rotate({ 'X-Svc-Token': await make() })).status).toBe(403);
  expect((await rotate(double.as('boss', 'admin'))).status).toBe(200);
  expect((await rotate(double.as('somebody', 'admin'))).status).toBe(403);
  double.security.giveRole('dev', 'testuser1', 'tenant_definition_updater');
  expect((await rotate({ 'X-Svc-Token': await make() })).status).toBe(200);
  expect((await rotate({ 'X-Svc-Token': await make() }, 'other')).status).toBe(403);
});

it('is for tenants of this site that take their key from here', async () => {
  expect((await rotate(undefined, 'nowhere')).status).toBe(404);
  expect((await rotate(undefined, 'admin')).status).toBe(403);
  const [, , other] = double.directory.tenants;
  other!.site_id = 'elsewhere';
  expect((await rotate(undefined, 'other')).status).toBe(403);
});
