import { PlatformProcess, type Session } from '@libs/flows';
import { until } from '@libs/kit';
import { command, startAssociate } from '../fixtures/sites';
import { actingFor, decode, serviceToken } from '../fixtures/tokens';

const PASSWORD = 'a good long one';
const TENANT = 'north-dev';

let primary: PlatformProcess;
let north: PlatformProcess;

/** North runs systems and no authenticator: the primary's lets its people in. */
beforeAll(async () => {
  primary = await PlatformProcess.start();
  north = await startAssociate(primary, 'north', 'systems', {
    TENANT_ADMIN_PASSWORD: PASSWORD,
    AUTHENTICATOR_PASSWORD: primary.secrets().servicePasswords['authenticator']!,
  });
  // so that a test can log in without a browser
  const token = await serviceToken(primary, 'authenticator');
  const headers = actingFor(primary, 'authenticator', TENANT);
  const authenticator = primary.anonymous('admin').with({ token, headers });
  const grants = ['password', 'refresh_token', 'authorization_code', 'device_code'];
  await authenticator.ask('PUT', '/v3/oauth2/admin/config', { allowable_grant_types: grants });
});
afterAll(async () => {
  for (const site of [north, primary]) await site?.close();
});

const anybody = (): Session => north.anonymous(TENANT);
const login = (more: object = {}) =>
  anybody().ask('POST', '/v3/oauth2/tokens', {
    grant_type: 'password',
    username: 'admin',
    password: PASSWORD,
    ...more,
  });
const uses = async (token: string) => {
  const calls = [
    anybody().with({ token }).call('GET', '/v3/systems'),
    anybody().with({ token }).call('GET', '/v3/apps'),
    anybody().with({ token }).call('GET', '/v3/oauth2/userinfo'),
  ];
  return (await Promise.all(calls)).map(({ status }) => status);
};
const client = async () => {
  const { access_token } = (await login()).access_token;
  const me = anybody().with({ token: access_token });
  const { client_id, client_key } = await me.ask('POST', '/v3/oauth2/clients', {});
  return { client_id, client_key };
};

it('lets the first administrator in, with a token that the associate has signed', async () => {
  const { access_token: token } = (await login()).access_token;
  expect(decode(token).claims).toMatchObject({
    sub: `admin@${TENANT}`,
    iss: `${north.baseUrl(TENANT)}/v3/tokens`,
  });
  expect(await uses(token)).toEqual([200, 200, 200]);
  const { json } = await anybody().call('GET', '/v3/oauth2/jwks');
  const keys = (json as unknown as { keys: { kid: string }[] }).keys;
  expect(keys.map(({ kid }) => kid)).toContain(decode(token).header['kid']);
});

it('renews and ends what it gave, at both sites', async () => {
  const keyed = await client();
  const first = await login(keyed);
  const renewed = await anybody().ask('POST', '/v3/oauth2/tokens', {
    grant_type: 'refresh_token',
    refresh_token: first.refresh_token.refresh_token,
    ...keyed,
  });
  const body = { refresh_token: renewed.refresh_token.refresh_token };
  const last = await anybody().ask('PUT', '/v3/tokens', body);
  const { access_token: token } = last.access_token;
  expect(await uses(token)).toEqual([200, 200, 200]);
  await anybody().with({ token }).ask('DELETE', `/v3/oauth2/clients/${keyed.client_id}`);
  await until(async () => (await uses(token)).every((status) => status === 401));
});

it('gets tokens for the tenants of that associate alone, as the authenticator alone', async () => {
  const order = { account_type: 'user', token_tenant_id: TENANT, token_username: 'admin' };
  const ask = async (service: string, more: object = {}, target = 'north') => {
    const token = await serviceToken(primary, service, { target });
    const headers = actingFor(primary, service, TENANT);
    const caller = anybody().with({ token, headers });
    return (await caller.send('POST', '/v3/tokens', { ...order, ...more })).status;
  };
  expect(await ask('authenticator')).toBe(201);
  expect(await ask('authenticator', {}, 'primary')).toBe(401);
  expect(await ask('authenticator', { token_tenant_id: 'dev' })).toBe(403);
  expect(await ask('authenticator', { token_tenant_id: 'north-admin' })).toBe(403);
  expect(await ask('authenticator', { account_type: 'service' })).toBe(403);
  expect(await ask('jobs')).toBe(401);
});

it('has one first account, however often the command is repeated', async () => {
  const said = await command(
    'tenant',
    [TENANT, '--site', 'north', '--data', north.dataDir],
    primary,
    {
      TENANT_ADMIN_PASSWORD: 'another good long one',
      AUTHENTICATOR_PASSWORD: primary.secrets().servicePasswords['authenticator']!,
    },
  );
  // the account that is there keeps its password
  expect(said).not.toContain('account');
  expect((await login()).access_token.access_token).toBeTruthy();
});
