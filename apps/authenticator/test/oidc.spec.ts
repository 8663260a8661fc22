import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { CALLBACK, type MadeClient, OAuthService } from './oauth-service';

let oauth: OAuthService;
let client: MadeClient;
beforeAll(async () => {
  oauth = await OAuthService.start();
  client = await oauth.client({ client_id: 'portal' });
  await oauth.database.query(
    "UPDATE account SET email = 'one@example.org', given_name = 'Test', last_name = 'One' WHERE username = 'testuser1'",
  );
});
afterAll(() => oauth.stop());

const read = (path: string, headers = {}) => oauth.send('GET', path, undefined, headers);
const base = () => oauth.double.directory.tenants[1]!.base_url;
const exchange = async (query: object) => {
  const code = await oauth.code({ client_id: 'portal', ...query });
  const { body } = await oauth.raw('/tokens/oidc', {
    grant_type: 'authorization_code',
    redirect_uri: CALLBACK,
    code,
    client_id: client.client_id,
    client_secret: client.client_key,
    resource: 'something that is not known here',
  });
  return body;
};

it('is described where libraries look', async () => {
  const openid = await read('/.well-known/openid-configuration');
  expect(openid.status).toBe(200);
  const at = `${base()}/v3/oauth2`;
  expect(openid.body).toMatchObject({
    issuer: at,
    authorization_endpoint: `${at}/authorize`,
    token_endpoint: `${at}/tokens/oidc`,
    userinfo_endpoint: `${at}/userinfo/oidc`,
    jwks_uri: `${at}/jwks`,
    registration_endpoint: `${at}/clients`,
    device_authorization_endpoint: `${at}/device/code/oidc`,
    revocation_endpoint: `${at}/tokens/revoke/oidc`,
    response_types_supported: ['code', 'token'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['RS256'],
    subject_types_supported: ['public'],
  });
  expect(openid.body.grant_types_supported).toContain('authorization_code');
  const server = await read('/.well-known/oauth-authorization-server');
  expect(server.body).toMatchObject({ issuer: at, token_endpoint: `${at}/tokens/oidc` });
  expect(openid.headers['access-control-allow-origin'] ?? '*').toBe('*');
});

it('publishes public keys and nothing else of them', async () => {
  const { body } = await read('/jwks');
  expect(body.keys.length).toBeGreaterThan(0);
  for (const key of body.keys)
    expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

describe('an identity token', () => {
  it('says who logged in, to whom, and answers the nonce', async () => {
    const made = await exchange({ nonce: 'n-1', scope: 'openid' });
    expect(made).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 14_400,
      id_token: expect.any(String),
    });
    const keys = createLocalJWKSet((await read('/jwks')).body);
    const { payload } = await jwtVerify(made.id_token, keys, {
      issuer: `${base()}/v3/oauth2`,
      audience: 'portal',
      algorithms: ['RS256'],
    });
    expect(payload).toMatchObject({
      sub: 'testuser1@dev',
      nonce: 'n-1',
      email: 'one@example.org',
      name: 'Test One',
      preferred_username: 'testuser1',
      iat: expect.any(Number),
    });
    expect(decodeProtectedHeader(made.access_token).kid).toBe(
      decodeProtectedHeader(made.id_token).kid,
    );
  });

  it('opens nothing', async () => {
    const { id_token } = await exchange({});
    expect((await read('/userinfo', { 'X-Svc-Token': id_token })).status).toBe(401);
  });

  it('is left out when other scopes are asked for', async () => {
    expect(await exchange({ scope: 'profile' })).not.toHaveProperty('id_token');
    expect(await exchange({})).toHaveProperty('id_token');
  });
});

describe('a person', () => {
  it('reads who they are, enveloped and raw', async () => {
    const headers = await oauth.by();
    const { body } = await read('/userinfo', headers);
    expect(body.result).toMatchObject({
      username: 'testuser1',
      email: 'one@example.org',
      given_name: 'Test',
      last_name: 'One',
      dn: null,
    });
    const raw = await read('/userinfo/oidc', {
      authorization: `Bearer ${headers['X-Svc-Token']}`,
    });
    expect(raw.body).toEqual({
      sub: 'testuser1@dev',
      preferred_username: 'testuser1',
      name: 'Test One',
      given_name: 'Test',
      family_name: 'One',
      email: 'one@example.org',
    });
    for (const path of ['/userinfo', '/userinfo/oidc', '/profiles'])
      expect((await read(path)).status).toBe(401);
  });

  it('reads it by POST as well; without a good token a library is told what to send', async () => {
    const headers = { authorization: `Bearer ${await oauth.token()}` };
    const { status, body } = await oauth.send('POST', '/userinfo/oidc', undefined, headers);
    expect([status, body.sub]).toEqual([200, 'testuser1@dev']);
    const none = await oauth.send('POST', '/userinfo/oidc');
    expect([none.status, none.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const bad = await read('/userinfo/oidc', { authorization: 'Bearer nonsense' });
    expect([bad.status, bad.body.error]).toEqual([401, 'invalid_token']);
    expect(bad.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('finds others by pages', async () => {
    const headers = await oauth.by();
    const first = await read('/profiles?limit=2', headers);
    expect(first.body.result).toHaveLength(2);
    expect(first.headers['x-svc-offset']).toBe('2');
    const second = await read('/profiles?limit=2&offset=2', headers);
    expect([second.body.result.length, second.headers['x-svc-offset']]).toEqual([1, '3']);
    const names = [...first.body.result, ...second.body.result].map(
      (p: { username: string }) => p.username,
    );
    expect(names.sort()).toEqual(['admin', 'testuser1', 'testuser2']);
    expect((await read('/profiles/testuser2', headers)).body.result.username).toBe('testuser2');
    const nobody = await read('/profiles/nobody', headers);
    expect([nobody.status, nobody.body.result]).toEqual([404, { name: 'nobody' }]);
    expect((await read('/profiles?limit=0', headers)).status).toBe(400);
  });

  it('is a mere name where an outside provider knows them', async () => {
    const headers = await oauth.by();
    await oauth.config({
      custom_idp_configuration: { github: { client_id: 'x', client_secret: 'y' } },
    });
    expect((await read('/profiles', headers)).status).toBe(400);
    expect((await read('/userinfo/oidc', headers)).body).toEqual({
      sub: 'testuser1@dev',
      preferred_username: 'testuser1',
    });
    await oauth.config({ custom_idp_configuration: {} });
  });
});

it('answers libraries in their own words', async () => {
  const wrong = await oauth.send('POST', '/tokens/oidc', ['x']);
  expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_request']);
  const missing = await oauth.raw('/tokens/oidc', {});
  expect([missing.status, missing.body.error]).toEqual([400, 'invalid_request']);
  const revoked = await oauth.raw('/tokens/revoke/oidc', { token: 'nonsense' });
  expect([revoked.status, revoked.body]).toEqual([200, {}]);
  const token = await oauth.token();
  await oauth.raw('/tokens/revoke/oidc', { token, token_type_hint: 'access_token' });
  expect(await oauth.isGood(token)).toBe(false);
  const device = await oauth.raw('/device/code/oidc', { client_id: 'portal', scope: 'openid' });
  expect(device.body).toMatchObject({ user_code: expect.any(String), interval: 5 });
});

describe('a token of the older platform', () => {
  const asked: { authorization?: string; body: string }[] = [];
  const old = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      asked.push({ authorization: request.headers.authorization, body });
      const good = body.includes('token_username=testuser1');
      response.writeHead(good ? 200 : 403, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(good ? { access_token: 'v2', refresh_token: 'r', expires_in: 9 } : {}),
      );
    });
  });
  beforeAll(() => new Promise<void>((done) => void old.listen(0, '127.0.0.1', done)));
  afterAll(() => new Promise((done) => old.close(done)));
  const ask = async (body?: object) => oauth.send('POST', '/v2/token', body, await oauth.by());

  it('is refused where the tenant has none', async () => {
    const { status, body } = await ask({});
    expect([status, body.error_description]).toEqual([400, expect.stringContaining('token_url')]);
  });

  it('is given for the one who asks', async () => {
    await oauth.config({
      token_url: `http://127.0.0.1:${(old.address() as AddressInfo).port}/token`,
      impers_oauth_client_id: 'c',
      impers_oauth_client_secret: 's',
      impersadmin_username: 'a',
      impersadmin_password: 'p',
    });
    const { status, body } = await ask();
    expect([status, body]).toEqual([
      200,
      { access_token: 'v2', refresh_token: 'r', expires_in: 9 },
    ]);
    expect(asked.at(-1)).toEqual({
      authorization: `Basic ${btoa('c:s')}`,
      body: 'grant_type=admin_password&username=a&password=p&token_username=testuser1&scope=PRODUCTION',
    });
    expect((await ask({ access_token: await oauth.token() })).status).toBe(200);
    expect((await ask({ access_token: await oauth.token('testuser2') })).status).toBe(403);
    const other = await oauth.send('POST', '/v2/token', {}, await oauth.by('testuser2'));
    expect([other.status, other.body.error]).toEqual([502, 'server_error']);
  });
});
