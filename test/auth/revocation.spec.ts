import { PlatformProcess } from '@libs/flows';
import { until } from '@libs/kit';
import { doors } from '../fixtures/public-routes';
import { request, type Route } from '../fixtures/routes';
import { decode } from '../fixtures/tokens';

/** Revocation holds everywhere within this time. */
const LIMIT_MS = 2_000;

const DOORS = doors();

let platform: PlatformProcess;

beforeAll(async () => {
  platform = await PlatformProcess.start();
});
afterAll(() => platform.close());

const login = async (): Promise<string> => {
  const body = { grant_type: 'password', username: 'testuser5', password: 'testuser5' };
  return (await platform.anonymous().ask('POST', '/v3/oauth2/tokens', body)).access_token
    .access_token;
};
const refused = async (token: string, door: Route) => {
  const caller = platform.anonymous().with({ token });
  return (await caller.call('GET', request(door))).status === 401;
};

it.each(['/v3/tokens/revoke', '/v3/oauth2/tokens/revoke'])(
  'what %s was told no service takes two seconds later',
  async (path) => {
    const token = await login();
    // every service has seen the token, and remembers that it was good
    for (const door of DOORS)
      expect([door.service, await refused(token, door)]).toEqual([door.service, false]);
    const asked = performance.now();
    const { status } = await platform.anonymous().with({ token }).send('POST', path, { token });
    expect(status).toBe(200);
    const times = await Promise.all(
      DOORS.map(async (door) => {
        await until(() => refused(token, door), LIMIT_MS, 5);
        return performance.now() - asked;
      }),
    );
    expect(Math.max(...times)).toBeLessThan(LIMIT_MS);
    expect(
      (
        await platform
          .anonymous()
          .with({ token: await login() })
          .call('GET', '/v3/systems')
      ).status,
    ).toBe(200);
  },
);

it('no service takes a token of a tenant that is INACTIVE', async () => {
  const token = await login();
  const admin = await platform.as('admin', 'admin');
  const setStatus = (status: string) => admin.ask('PUT', '/v3/tenants/dev', { status });
  await setStatus('inactive');
  for (const door of DOORS) await until(() => refused(token, door), LIMIT_MS);
  const body = { grant_type: 'password', username: 'testuser5', password: 'testuser5' };
  const { status } = await platform.anonymous().send('POST', '/v3/oauth2/tokens', body);
  expect(status).toBeGreaterThanOrEqual(400);
  await setStatus('active');
  for (const door of DOORS) await until(async () => !(await refused(token, door)), LIMIT_MS);
});

it('a new key of the tenant costs no call', async () => {
  const admin = await platform.as('admin', 'admin');
  const kids = new Set<unknown>();
  const failed: string[] = [];
  let running = true;
  const client = async (door: Route) => {
    for (let token = await login(); running; token = await login()) {
      kids.add(decode(token).header['kid']);
      for (let i = 0; i < 5; i++)
        if (await refused(token, door)) failed.push(`${door.service}, use ${i}`);
    }
  };
  const clients = DOORS.map(client);
  await until(() => kids.size > 0);
  for (let rotation = 0; rotation < 3; rotation++) {
    const known = kids.size;
    await admin.ask('PUT', '/v3/tokens/keys', { tenant_id: 'dev' });
    await until(() => kids.size > known);
  }
  running = false;
  await Promise.all(clients);
  expect(failed).toEqual([]);
  expect(kids.size).toBeGreaterThanOrEqual(4);
});

it('it holds after a restart, from the first request on', async () => {
  const token = await login();
  await platform.anonymous().send('POST', '/v3/tokens/revoke', { token });
  await platform.kill();
  await platform.start();
  for (const door of DOORS) {
    // these two are up before the tokens service and ask it a moment later
    const early = ['security-kernel', 'sites-tenants'].includes(door.service);
    const holds = early
      ? await until(() => refused(token, door), LIMIT_MS)
      : await refused(token, door);
    expect([door.service, holds]).toEqual([door.service, true]);
  }
});

it('a refresh token of a client goes on at the tokens service only as long as its person does', async () => {
  const admin = await platform.as('admin');
  const person = { username: 'passing', password: 'a good long one' };
  await admin.ask('POST', '/v3/oauth2/accounts', person);
  const { client_id, client_key } = await admin.ask('POST', '/v3/oauth2/clients', {});
  const anybody = platform.anonymous();
  const body = { grant_type: 'password', ...person, client_id, client_key };
  const login = await anybody.ask('POST', '/v3/oauth2/tokens', body);
  const refresh = (refresh_token: string) => anybody.send('PUT', '/v3/tokens', { refresh_token });
  const next = await refresh(login.refresh_token.refresh_token);
  expect(next.status).toBe(200);
  await admin.ask('PATCH', '/v3/oauth2/accounts/passing', { enabled: false });
  expect((await refresh(next.json.result.refresh_token.refresh_token)).status).toBe(400);
});
