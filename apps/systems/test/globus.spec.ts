import { call } from '@libs/kit';
import * as client from 'openid-client';
import { GlobusDouble } from './globus-double';
import { SystemsService } from './systems-service';

let service: SystemsService;
let globus: GlobusDouble;
const COLLECTION = '6c54cade-bde5-45c1-bdea-f4bd71dba2cc';
beforeAll(async () => {
  globus = await GlobusDouble.start();
  service = await SystemsService.start(globus.env());
  await service.made(collection('shared-data'));
});
afterAll(() => Promise.all([service.stop(), globus.close()]));

const collection = (id: string, more: object = {}) => ({
  id,
  systemType: 'GLOBUS',
  host: COLLECTION,
  defaultAuthnMethod: 'TOKEN',
  canExec: false,
  ...more,
});
const signIn = async (query = '') =>
  service.result(`/credential/shared-data/globus/authUrl${query}`);
/** What the user does in a browser: the code is on the page that Globus leads to. */
const codeOf = async (url: string) => {
  const { headers } = await call(url, { method: 'GET' });
  return new URL(String(headers['location'])).searchParams.get('code')!;
};
const exchange = (code: string, sessionId: string, user = 'testuser1', by = user) =>
  service.send(
    'POST',
    `/credential/shared-data/user/${user}/globus/tokens/${code}/${sessionId}`,
    undefined,
    service.as(by),
  );

it('leads the user to Globus with a challenge, and asks for data and refresh tokens', async () => {
  const { url, sessionId, systemId } = await signIn();
  expect(systemId).toBe('shared-data');
  expect(sessionId).toMatch(/^[\w-]{43,128}$/);
  const asked = new URL(url);
  expect(`${asked.origin}${asked.pathname}`).toBe(`${globus.url}/v2/oauth2/authorize`);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    client_id: globus.client,
    access_type: 'offline',
    code_challenge: await client.calculatePKCECodeChallenge(sessionId),
    code_challenge_method: 'S256',
    scope: `urn:globus:auth:scope:transfer.api.globus.org:all[*https://auth.globus.org/scopes/${COLLECTION}/data_access]`,
  });
  const personal = new URL((await signIn('?dataAccess=false')).url);
  expect(personal.searchParams.get('scope')).toBe(
    'urn:globus:auth:scope:transfer.api.globus.org:all',
  );
});

it('keeps the tokens of the transfer service for the services', async () => {
  const { url, sessionId } = await signIn();
  const answer = await exchange(await codeOf(url), sessionId);
  expect([answer.status, answer.body.result]).toEqual([200, null]);
  const found = await service.send(
    'GET',
    '/credential/shared-data/user/testuser1',
    undefined,
    service.asService('files'),
  );
  expect(found.body.result).toEqual({
    authnMethod: 'TOKEN',
    loginUser: 'testuser1',
    accessToken: 'access-transfer.api.globus.org',
    refreshToken: 'refresh-transfer.api.globus.org',
  });
  const history = await service.result('/shared-data/history');
  expect(history.at(-1)).toMatchObject({ operation: 'setAccessRefreshTokens' });
  expect(JSON.stringify(history)).not.toContain('access-transfer');
});

it('takes a code once, and only with its session', async () => {
  const { url, sessionId } = await signIn();
  const code = await codeOf(url);
  const other = await exchange(code, 'x'.repeat(64));
  expect([other.status, other.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSAPI_CRED_VALID_FAIL .*invalid_grant/),
  ]);
  expect((await exchange(code, sessionId)).status).toBe(400);
  expect((await exchange('made-up', sessionId)).status).toBe(400);
});

it('says when Globus fails', async () => {
  globus.broken = true;
  const answer = await exchange('code', 'session');
  globus.broken = false;
  expect([answer.status, answer.body.message]).toEqual([
    502,
    expect.stringMatching(/^SYSAPI_GLOBUS_ERROR /),
  ]);
});

it('is for who may see the system, and for GLOBUS only', async () => {
  const url = '/credential/shared-data/globus/authUrl';
  expect((await service.send('GET', url, undefined, service.as('stranger'))).status).toBe(404);
  service.double.security.grant('dev', 'reader', 'system:dev:READ:shared-data');
  expect((await service.send('GET', url, undefined, service.as('reader'))).status).toBe(200);
  expect((await exchange('code', 'session', 'testuser1', 'reader')).status).toBe(403);
  await service.made({
    ...collection('bucket'),
    systemType: 'S3',
    bucketName: 'b',
    defaultAuthnMethod: 'ACCESS_KEY',
  });
  const wrong = await service.send('GET', '/credential/bucket/globus/authUrl');
  expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('S3')]);
});

it('needs a site that is registered with Globus', async () => {
  const plain = await SystemsService.start();
  await plain.made(collection('lonely'));
  const answer = await plain.send('GET', '/credential/lonely/globus/authUrl');
  await plain.stop();
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSAPI_GLOBUS_NOT_CONFIGURED /),
  ]);
});

it('the double serves a stock client', async () => {
  const server = {
    issuer: globus.url,
    authorization_endpoint: `${globus.url}/v2/oauth2/authorize`,
    token_endpoint: `${globus.url}/v2/oauth2/token`,
  };
  const config = new client.Configuration(server, globus.client, undefined, client.None());
  client.allowInsecureRequests(config);
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: `${globus.url}/v2/web/auth-code`,
    scope: 'urn:globus:auth:scope:transfer.api.globus.org:all',
    state: 'state',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { headers } = await call(url.href, { method: 'GET' });
  const back = new URL(String(headers['location']));
  const tokens = await client.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: 'state',
  });
  expect(tokens.refresh_token).toBeDefined();
});
