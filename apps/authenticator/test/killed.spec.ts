import { buildServices, call, freshDatabase, ServiceProcess, until } from '@libs/kit';
import { AroundIt, basic } from './oauth-service';

let around: AroundIt;
const database = freshDatabase();
const running = new Set<ServiceProcess>();

beforeAll(async () => {
  buildServices();
  around = await AroundIt.start();
});
afterEach(async () => {
  for (const process of running) await process.kill();
  running.clear();
});
afterAll(() => around.stop());

async function start(): Promise<ServiceProcess> {
  const env = around.env({ LOG_LEVEL: 'info', DATABASE_URL: database, LOGIN_FAILURES: '50' });
  const process = new ServiceProcess('authenticator', env);
  running.add(process);
  return process.ready();
}

const ME = basic('testuser1', 'testuser1');
const ask = (to: ServiceProcess, method: string, path: string, body?: object, headers = {}) =>
  call(`${to.url}/v3/oauth2${path}`, { method, headers, body });
const login = { grant_type: 'password', username: 'testuser1', password: 'testuser1' };

it('SIGKILL in the middle of writes loses nothing that was answered', async () => {
  const done = {
    made: [] as { client_id: string; client_key: string }[],
    changed: [] as { client_id: string; description: string }[],
    deleted: [] as { client_id: string; client_key: string }[],
    refreshed: [] as object[],
    revoked: [] as string[],
    failures: 0,
  };
  for (let round = 0; round < 2; round++) {
    const dying = await start();
    const before = done.revoked.length;
    const client = async () => {
      for (let i = 0; ; i++) {
        const { result: mine } = (await ask(dying, 'POST', '/clients', {}, ME)).body;
        const { client_id, client_key } = mine;
        done.made.push(mine);
        const description = `change ${i}`;
        const change = await ask(dying, 'PUT', `/clients/${client_id}`, { description }, ME);
        if (change.status === 200) done.changed.push({ client_id, description });
        const keyed = { client_id, client_key };
        const { result: pair } = (await ask(dying, 'POST', '/tokens', { ...login, ...keyed })).body;
        const { refresh_token } = pair.refresh_token;
        const refresh = { grant_type: 'refresh_token', ...keyed };
        const { result: next } = (
          await ask(dying, 'POST', '/tokens', { ...refresh, refresh_token })
        ).body;
        if (i % 2) {
          const gone = await ask(dying, 'DELETE', `/clients/${client_id}`, undefined, ME);
          if (gone.status === 200) done.deleted.push(mine);
        } else done.refreshed.push({ ...refresh, ...next.refresh_token });
        const other = (await ask(dying, 'POST', '/tokens', login)).body.result.access_token;
        const end = { token: other.access_token };
        if ((await ask(dying, 'POST', '/tokens/revoke', end)).status === 200)
          done.revoked.push(other.access_token);
        const wrong = { ...login, username: 'testuser2', password: 'wrong' };
        if ((await ask(dying, 'POST', '/tokens', wrong)).status === 400) done.failures++;
      }
    };
    const clients = [1, 2, 3, 4].map(() => client().catch(() => undefined));
    await until(() => done.revoked.length > before + 10, 60_000);
    await dying.kill();
    await Promise.all(clients);
  }
  const next = await start();
  const { made, changed, deleted, refreshed, revoked, failures } = done;
  const isDeleted = (id: string) => deleted.some(({ client_id }) => client_id === id);
  for (const { client_id } of made) {
    const { status, body } = await ask(next, 'GET', `/clients/${client_id}`, undefined, ME);
    expect(status).toBe(200);
    if (isDeleted(client_id)) expect(body.result.active).toBe(false);
  }
  for (const { client_id, description } of changed) {
    const { body } = await ask(next, 'GET', `/clients/${client_id}`, undefined, ME);
    expect(body.result.description).toBe(description);
  }
  for (const { client_id, client_key } of deleted) {
    const headers = basic(client_id, client_key);
    expect((await ask(next, 'POST', '/tokens', login, headers)).status).toBe(401);
  }
  for (const { grant_type, client_id, client_key, refresh_token } of refreshed as {
    grant_type: string;
    client_id: string;
    client_key: string;
    refresh_token: string;
  }[]) {
    if (isDeleted(client_id)) continue;
    const body = { grant_type, client_id, client_key, refresh_token };
    expect((await ask(next, 'POST', '/tokens', body)).status).toBe(200);
  }
  for (const token of revoked) {
    const headers = { 'X-Svc-Token': token };
    expect((await ask(next, 'GET', '/userinfo', undefined, headers)).status).toBe(401);
  }
  // failures that were answered count after the crash as well
  const wrong = { ...login, username: 'testuser2', password: 'wrong' };
  expect(failures).toBeGreaterThan(0);
  let more = 0;
  while ((await ask(next, 'POST', '/tokens', wrong)).status === 400) more++;
  expect(more).toBeLessThanOrEqual(50 - failures);
});
