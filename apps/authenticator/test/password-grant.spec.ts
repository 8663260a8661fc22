import { Database } from '@libs/database';
import {
  call,
  freshDatabase,
  PlatformDouble,
  type CallOptions,
  type DoubleRequest,
} from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { authenticator } from '../src/service';

let double: PlatformDouble;
let service: RunningService;
let at: Listening;
let orders: DoubleRequest[];

const accounts = {
  dev: { testuser1: 'testuser1', admin: 'admin' },
  admin: { admin: 'admin', guest: 'guest' },
};
const env = (more = {}) =>
  double.env({
    LOG_LEVEL: 'silent',
    DATABASE_URL: freshDatabase(),
    SEED_ACCOUNTS: JSON.stringify(accounts),
    LOGIN_FAILURES: '1000',
    ...more,
  });

beforeAll(async () => {
  double = await PlatformDouble.start();
  double.security.giveRole('admin', 'admin', '$~site_admin');
  orders = [];
  double.serve('POST', '/v3/tokens', (request) => {
    const order = request.body as {
      account_type: string;
      token_tenant_id: string;
      token_username: string;
      access_token_ttl: number;
    };
    const service = order.account_type === 'service';
    if (!service) orders.push(request);
    const spec = { ttl: order.access_token_ttl };
    const token = service
      ? double.serviceToken(order.token_username, spec)
      : double.userToken(order.token_username, order.token_tenant_id, spec);
    return {
      access_token: {
        access_token: token,
        expires_at: '2030-01-01T00:00:00.000Z',
        expires_in: spec.ttl,
        jti: 'j',
      },
    };
  });
  service = await createService(authenticator, env());
  at = await listen(service.handler, '127.0.0.1', 0);
});
afterAll(async () => {
  await at.close(100);
  await service.close();
  await double.close();
});

const ask = (options: CallOptions) => call(`${at.url}/v3/oauth2/tokens`, options);
const login = (username: string, password: string, headers = {}) =>
  ask({ headers, body: { username, password, grant_type: 'password' } });
const hostOf = (tenant: string) => ({
  host: new URL(double.directory.tenants.find((t) => t.tenant_id === tenant)!.base_url).host,
});

it('gives a token for a password, in the envelope', async () => {
  const { status, body } = await login('testuser1', 'testuser1');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'success',
    result: { access_token: { expires_in: 14400, jti: 'j' } },
  });
  expect(body.result.refresh_token).toBeUndefined();
  expect(orders.at(-1)!.body).toEqual({
    account_type: 'user',
    token_tenant_id: 'dev',
    token_username: 'testuser1',
    access_token_ttl: 14400,
    claims: { 'svc/client_id': null, 'svc/grant_type': 'password' },
  });
});

it('takes forms as well', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = 'grant_type=password&username=testuser1&password=testuser1';
  expect((await ask({ headers, body: form })).status).toBe(200);
  expect((await ask({ headers, body: `${form}x` })).status).toBe(400);
});

it('answers the same for a wrong password as for an unknown user', async () => {
  const answers = [
    await login('testuser1', 'wrong'),
    await login('nobody', 'wrong'),
    await login('', 'x'),
  ];
  const [wrong, unknown] = answers;
  expect([wrong!.status, unknown!.status]).toEqual([400, 400]);
  expect(wrong!.body).toEqual(unknown!.body);
  expect(wrong!.text).not.toMatch(/nobody|wrong/);
});

it('takes as long for an unknown user', async () => {
  const times: Record<string, number[]> = { testuser1: [], nobody: [] };
  // in turns, so that both meet the same load of the machine
  for (let i = 0; i < 15; i++)
    for (const [username, taken] of Object.entries(times)) {
      const started = performance.now();
      await login(username, 'wrong');
      taken.push(performance.now() - started);
    }
  const middle = (taken: number[]) => taken.sort((a, b) => a - b)[7]!;
  const ratio = middle(times['nobody']!) / middle(times['testuser1']!);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

it('keeps tenants apart', async () => {
  expect((await login('testuser1', 'testuser1', hostOf('other'))).status).toBe(400);
  expect((await login('testuser1', 'testuser1', { host: 'nobody.example.org' })).status).toBe(400);
});

it('lets only administrators of the site into its own tenant', async () => {
  expect((await login('admin', 'admin', hostOf('admin'))).status).toBe(200);
  expect(orders.at(-1)!.body).toMatchObject({ token_tenant_id: 'admin', token_username: 'admin' });
  const guest = await login('guest', 'guest', hostOf('admin'));
  expect(guest.status).toBe(400);
  expect(guest.body.message).toBe((await login('nobody', 'x', hostOf('admin'))).body.message);
});

it('refuses grants it does not know and bodies that are not right', async () => {
  expect((await ask({ body: { grant_type: 'magic', username: 'a', password: 'b' } })).status).toBe(
    400,
  );
  expect((await ask({ body: { grant_type: 'password', username: 'testuser1' } })).status).toBe(400);
  const { status, body } = await ask({ body: { grant_type: 5, username: {}, more: 1 } });
  expect(status).toBe(400);
  for (const name of ['grant_type', 'username', 'more']) expect(body.message).toContain(name);
});

it('keeps no password in its tables', async () => {
  const rows = JSON.stringify(
    await service.get(Database).query('SELECT password_hash FROM account'),
  );
  for (const password of ['testuser1', 'guest']) expect(rows).not.toContain(password);
  expect(rows).toMatch(/argon2id\$/);
});

it('refuses seed accounts in production', async () => {
  await expect(createService(authenticator, env({ NODE_ENV: 'production' }))).rejects.toThrow(
    /production/,
  );
});
