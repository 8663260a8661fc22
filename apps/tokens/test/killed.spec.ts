import { decodeProtectedHeader } from 'jose';
import {
  buildServices,
  call,
  freshDatabase,
  PlatformDouble,
  ServiceProcess,
  until,
  type CallAnswer,
  type CallOptions,
} from '@libs/kit';
import { CRASH_POINTS } from '../src/actions/crash-point';

let double: PlatformDouble;
const database = freshDatabase();
const running = new Set<ServiceProcess>();

beforeAll(async () => {
  buildServices();
  double = await PlatformDouble.start();
  Object.assign(double.directory.tenants[1]!, { public_key: null, created_by: 'tenants@admin' });
  double.security.giveRole('admin', 'authenticator', 'dev_token_generator');
  double.security.giveRole('admin', 'tokens', 'tenant_definition_updater');
});
afterEach(async () => {
  for (const process of running) await process.kill();
  running.clear();
});
afterAll(() => double.close());

async function start(more: Record<string, string> = {}): Promise<ServiceProcess> {
  const settings = {
    LOG_LEVEL: 'info',
    DATABASE_URL: database,
    SITE_ADMIN_PRIVATE_KEY: double.signer.privateKeyPem,
    ...more,
  };
  const process = new ServiceProcess('tokens', double.env(settings));
  running.add(process);
  return process.ready();
}

const ask = (to: ServiceProcess, path: string, options?: CallOptions): Promise<CallAnswer> =>
  call(`${to.url}/v3/tokens${path}`, options);
const rotate = (to: ServiceProcess) => {
  const headers = double.asService('tokens', 'tokens', 'admin');
  return ask(to, '/keys', { method: 'PUT', headers, body: { tenant_id: 'dev' } });
};
const order = (to: ServiceProcess) =>
  ask(to, '', {
    headers: double.asService('authenticator', 'authenticator', 'admin'),
    body: {
      account_type: 'user',
      token_tenant_id: 'dev',
      token_username: 'testuser1',
      access_token_ttl: 3600,
      generate_refresh_token: true,
      refresh_token_ttl: 3600,
    },
  });
const refresh = (to: ServiceProcess, refresh_token: string) =>
  ask(to, '', { method: 'PUT', body: { refresh_token } });
const revoke = (to: ServiceProcess, token: string) => ask(to, '/revoke', { body: { token } });
/** 403: the token is good, its owner may not do this. 401: it is not. */
const use = async (to: ServiceProcess, token: string) =>
  (
    await ask(to, '/keys', {
      method: 'PUT',
      headers: { 'X-Svc-Token': token },
      body: { tenant_id: 'dev' },
    })
  ).status;

describe('a key rotation that is cut off', () => {
  it.each(CRASH_POINTS)('at %s leaves tenant and key in agreement', async (point) => {
    const first = await start();
    const { access_token: before } = (await order(first)).body.result;
    await first.kill();

    const dying = await start({ CRASH_AT: point });
    await expect(rotate(dying)).rejects.toThrow();
    expect(await dying.gone()).toBe('SIGKILL');

    const next = await start();
    const { access_token: after } = (await order(next)).body.result;
    const { public_keys } = double.directory.tenants[1]!;
    expect(decodeProtectedHeader(after.access_token).kid).toBe(public_keys![0]!.kid);
    for (const { access_token } of [before, after])
      expect([point, await use(next, access_token)]).toEqual([point, 403]);

    expect((await rotate(next)).status).toBe(200);
    const { access_token: last } = (await order(next)).body.result;
    for (const { access_token } of [before, after, last])
      expect(await use(next, access_token)).toBe(403);
  });
});

it('SIGKILL in the middle of writes loses nothing that was answered', async () => {
  for (let round = 0; round < 2; round++) {
    const dying = await start();
    const revoked: string[] = [];
    const refreshed: string[] = [];
    const client = async () => {
      for (;;) {
        const { refresh_token, access_token } = (await order(dying)).body.result;
        const next = (await refresh(dying, refresh_token.refresh_token)).body.result;
        refreshed.push(next.refresh_token.refresh_token);
        expect((await revoke(dying, access_token.access_token)).status).toBe(200);
        revoked.push(access_token.access_token);
      }
    };
    const clients = [1, 2, 3, 4].map(() => client().catch(() => undefined));
    await until(() => revoked.length > 25);
    await dying.kill();
    await Promise.all(clients);

    const next = await start();
    for (const token of revoked) expect(await use(next, token)).toBe(401);
    for (const token of refreshed) expect((await refresh(next, token)).status).toBe(200);
    await next.kill();
  }
});
