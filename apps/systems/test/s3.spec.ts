import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { S3 } from '@libs/kit';
import { SystemsService } from './systems-service';

let service: SystemsService;
let s3: S3;
beforeAll(async () => {
  [service, s3] = await Promise.all([
    SystemsService.start({ CONNECT_SECONDS: '2' }),
    S3.start('data'),
  ]);
});
afterAll(() => Promise.all([service.stop(), s3.close()]));

const bucket = (id: string, more: object = {}) => ({
  id,
  systemType: 'S3',
  host: s3.host,
  port: s3.port,
  bucketName: 'data',
  defaultAuthnMethod: 'ACCESS_KEY',
  canExec: false,
  effectiveUserId: 'robot',
  ...more,
});
const keys = () => ({ accessKey: s3.accessKey, accessSecret: s3.accessSecret });

it('is created after a request with its key, which is kept', async () => {
  await service.made(bucket('store', { authnCredential: keys(), rootDir: 'some/prefix' }));
  expect(await service.result('/store')).toMatchObject({
    rootDir: 'some/prefix',
    bucketName: 'data',
    hasCredentials: true,
    authnCredential: null,
  });
  const check = await service.send('POST', '/credential/store/user/robot/check');
  expect([check.status, check.body.message]).toEqual([200, expect.any(String)]);
  const seen = await service.send(
    'GET',
    '/store?returnCredentials=true',
    undefined,
    service.asService('files'),
  );
  expect(seen.body.result.authnCredential).toEqual({
    authnMethod: 'ACCESS_KEY',
    loginUser: 'robot',
    ...keys(),
  });
});

it('takes variables in the bucket and no rootDir at all', async () => {
  await service.made(bucket('vars', { bucketName: '${tenant}-${owner}' }));
  expect(await service.result('/vars')).toMatchObject({ bucketName: 'dev-testuser1', rootDir: '' });
});

it.each<[string, () => object, string, string]>([
  [
    'an unknown access key',
    () => ({ authnCredential: { ...keys(), accessKey: 'nobody' } }),
    'SYSAPI_CRED_VALID_FAIL',
    'does not know the access key',
  ],
  [
    'a wrong secret',
    () => ({ authnCredential: { ...keys(), accessSecret: 'wrong' } }),
    'SYSAPI_CRED_VALID_FAIL',
    'secret does not belong',
  ],
  [
    'a bucket that is not there',
    () => ({ authnCredential: keys(), bucketName: 'nowhere' }),
    'SYSAPI_CRED_VALID_FAIL',
    'no such bucket',
  ],
  [
    'a store that is not there',
    () => ({ authnCredential: keys(), port: 1 }),
    'SYSAPI_CRED_CONN_FAIL',
    'there is no connection',
  ],
  [
    'a method that it does not know',
    () => ({ authnCredential: { password: 'x' }, defaultAuthnMethod: 'PASSWORD' }),
    'SYSAPI_CRED_NOT_SUPPORTED',
    'ACCESS_KEY, not PASSWORD',
  ],
  [
    'nothing for its method',
    () => ({ authnCredential: { password: 'x' } }),
    'SYSAPI_CRED_NOT_FOUND',
    'ACCESS_KEY',
  ],
])('stores nothing for %s, and says so', async (_, wrong, code, reason) => {
  const secrets = service.double.security.secrets.size;
  const { status, body } = await service.send('POST', '', bucket('failing', wrong()));
  expect([status, body.message]).toEqual([400, expect.stringMatching(new RegExp(`^${code} `))]);
  expect(body.message).toContain(reason);
  expect(body.message).not.toContain('wrong');
  expect((await service.send('GET', '/failing')).status).toBe(404);
  expect(service.double.security.secrets.size).toBe(secrets);
});

it('answers within the connect timeout when the store says nothing', async () => {
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const { port } = mute.address() as AddressInfo;
  const started = Date.now();
  const { status, body } = await service.send(
    'POST',
    '',
    bucket('mute', { authnCredential: keys(), port }),
  );
  expect([status, body.message]).toEqual([400, expect.stringMatching(/^SYSAPI_CRED_CONN_FAIL /)]);
  expect(Date.now() - started).toBeLessThan(15_000);
  expect((await service.send('GET', '/mute')).status).toBe(404);
  mute.close();
});

it('keeps what another type of store has, but nobody can try it', async () => {
  const irods = {
    id: 'zone',
    systemType: 'IRODS',
    host: 'irods.example.org',
    port: 1247,
    rootDir: '/zone/home',
    defaultAuthnMethod: 'PASSWORD',
    canExec: false,
    effectiveUserId: 'rods',
    useProxy: true,
    proxyHost: 'proxy.example.org',
    proxyPort: 1248,
    authnCredential: { password: 'secret' },
  };
  await service.made(irods);
  expect((await service.result('/zone')).hasCredentials).toBe(true);
  const check = await service.send('POST', '/credential/zone/user/rods/check');
  expect([check.status, check.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSAPI_CRED_NOT_SUPPORTED .*not supported/),
  ]);
});

it('alone may have an address with a scheme', async () => {
  const linux = { ...bucket('scheme'), systemType: 'LINUX', rootDir: '/' };
  const { status, body } = await service.send('POST', '', linux);
  expect([status, body.message]).toEqual([400, expect.stringContaining('http(s)://')]);
});
