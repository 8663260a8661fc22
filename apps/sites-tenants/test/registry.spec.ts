import { call, freshDatabase, PlatformDouble, type CallOptions } from '@libs/kit';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { sitesTenants } from '../src/service';

let double: PlatformDouble;
let service: RunningService;
let at: Listening;
const env: Record<string, string | undefined> = {};

async function start(): Promise<void> {
  service = await createService(sitesTenants, double.env({ LOG_LEVEL: 'silent', ...env }));
  at = await listen(service.handler, '127.0.0.1', 0);
}
async function stop(): Promise<void> {
  await at.close(100);
  await service.close();
}
const ask = (path: string, options?: CallOptions) => call(`${at.url}/v3/${path}`, options);

beforeAll(async () => {
  double = await PlatformDouble.start();
  const [admin, dev, other] = double.directory.tenants.map((t) => ({
    ...t,
    owner: 'o@example.org',
  }));
  env['DATABASE_URL'] = freshDatabase();
  env['SEED_SITES'] = JSON.stringify(double.directory.sites);
  env['SEED_TENANTS'] = JSON.stringify([admin, dev, { ...other, public_key: null }]);
  await start();
});
afterAll(async () => {
  await stop();
  await double.close();
});

it('lists sites and tenants without a token', async () => {
  const sites = await ask('sites');
  expect(sites.status).toBe(200);
  expect(sites.body).toMatchObject({
    status: 'success',
    result: [{ site_id: 'primary', primary: true }],
  });
  const { result } = (await ask('tenants')).body;
  expect(result.map((t: { tenant_id: string }) => t.tenant_id)).toEqual(['admin', 'dev']);
  const [, dev] = result;
  expect(dev).toMatchObject({
    site_id: 'primary',
    status: 'ACTIVE',
    allowable_x_tenant_ids: ['dev'],
    is_owned_by_associate_site: false,
    service_ldap_connection_id: null,
    user_ldap_connection_id: null,
    public_key: double.signer.publicKey.trim(),
  });
  expect(new Date(dev.create_time).toUTCString()).toBe(dev.create_time);
});

it('shows one, whatever its status', async () => {
  expect((await ask('sites/primary')).body.result.services).toContain('systems');
  expect((await ask('tenants/other')).body.result).toMatchObject({
    status: 'DRAFT',
    public_key: null,
  });
  const drafts = (await ask('tenants?show_draft=yes')).body.result;
  expect(drafts.map((t: { tenant_id: string }) => t.tenant_id)).toContain('other');
  for (const path of ['sites/nowhere', 'tenants/nowhere']) {
    const { status, body } = await ask(path);
    expect([status, body.status, body.result]).toEqual([404, 'error', { name: 'nowhere' }]);
  }
  expect((await ask('tenants?show_all=yes')).status).toBe(400);
});

it('takes keys from the tokens service of the owning site alone', async () => {
  const body = { public_key: double.signer.publicKey, public_keys: [], status: 'ACTIVE' };
  const put = (headers: Record<string, string>) =>
    ask('tenants/other', { method: 'PUT', headers, body });
  expect((await put({})).status).toBe(401);
  expect((await put(double.as('admin'))).status).toBe(403);
  expect((await put(double.asService('systems', 'systems', 'admin'))).status).toBe(403);
  const answer = await put(double.asService('tokens', 'tokens', 'admin'));
  expect([answer.status, answer.body.result.status]).toEqual([200, 'ACTIVE']);
  expect((await ask('tenants')).body.result).toHaveLength(3);
  const unknown = { headers: double.asService('tokens', 'tokens', 'admin'), body, method: 'PUT' };
  expect((await ask('tenants/nowhere', unknown)).status).toBe(404);
});

it('refuses methods and paths that are not there', async () => {
  expect((await ask('sites', { method: 'PUT', headers: double.as() })).status).toBe(405);
  expect((await ask('tenants/a/b/c')).status).toBe(404);
});

it('is alive and ready without a token', async () => {
  for (const path of ['tenants/hello', 'tenants/ready', 'tenants/healthcheck', 'sites/readycheck'])
    expect((await ask(path)).status).toBe(200);
});

it('keeps what is registered when it starts again', async () => {
  await stop();
  env['SEED_TENANTS'] = JSON.stringify([]);
  await start();
  expect((await ask('tenants')).body.result).toHaveLength(3);
});
