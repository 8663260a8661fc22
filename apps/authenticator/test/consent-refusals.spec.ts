import { Authorizations } from '../src/actions/authorizations';
import { CALLBACK, OAuthService, pkce } from './oauth-service';

let oauth: OAuthService;
beforeAll(async () => {
  oauth = await OAuthService.start();
  await oauth.client({ client_id: 'portal' });
  await oauth.client({ client_id: 'open-portal', client_type: 'public' });
});
afterAll(() => oauth.stop());

const me = { username: 'testuser1' };

describe('a request for consent', () => {
  const { challenge } = pkce();
  const good = { client_id: 'portal', redirect_uri: CALLBACK, response_type: 'code' };
  const check = (query: object) =>
    oauth.service.get(Authorizations).check('dev', { ...good, ...query }, '10.0.0.7');

  it.each([
    ['an unknown client', { client_id: 'nobody' }, 'unauthorized_client', 'nobody'],
    ['no client', { client_id: undefined }, 'unauthorized_client', 'no client'],
    [
      'another redirect_uri',
      { redirect_uri: `${CALLBACK}&x=1` },
      'invalid_request',
      'redirect_uri',
    ],
    ['a prefix of it', { redirect_uri: CALLBACK.slice(0, -1) }, 'invalid_request', 'redirect_uri'],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request', 'redirect_uri'],
    [
      'no response_type',
      { response_type: undefined },
      'unsupported_response_type',
      'code or token',
    ],
    ['another one', { response_type: 'id_token' }, 'unsupported_response_type', 'id_token'],
    ['a public client without PKCE', { client_id: 'open-portal' }, 'invalid_request', 'PKCE'],
    [
      'a public client that wants a token',
      { client_id: 'open-portal', response_type: 'token' },
      'unauthorized_client',
      'public',
    ],
    [
      'the method plain',
      { code_challenge: challenge, code_challenge_method: 'plain' },
      'invalid_request',
      'S256',
    ],
    ['a challenge without a method', { code_challenge: challenge }, 'invalid_request', 'S256'],
    [
      'a challenge that is no hash',
      { code_challenge: 'short', code_challenge_method: 'S256' },
      'invalid_request',
      'code_challenge',
    ],
    ['a state without end', { state: 'x'.repeat(2001) }, 'invalid_request', 'state'],
  ])('with %s is refused', async (_, query, error, says) => {
    await expect(check(query)).rejects.toMatchObject({
      status: 400,
      error,
      message: expect.stringContaining(says),
    });
    const { response_type: type } = { ...good, ...query };
    expect(await oauth.lastRecord()).toMatchObject({
      event: 'authorize',
      outcome: `AUTHENTICATOR_${error.toUpperCase()}`,
      status: 400,
      grant_type: type === 'token' ? 'implicit' : 'authorization_code',
      address: '10.0.0.7',
    });
  });

  it('is refused where the tenant has switched the grant off, and the switch is named', async () => {
    await oauth.config({ allowable_grant_types: ['device_code'] });
    for (const response_type of ['code', 'token'])
      await expect(check({ response_type })).rejects.toThrow('allowable_grant_types');
    const all = ['password', 'implicit', 'authorization_code', 'refresh_token', 'device_code'];
    await oauth.config({ allowable_grant_types: all });
    await expect(check({})).resolves.toMatchObject({ responseType: 'code' });
  });

  it('leaves a record when the person says no', async () => {
    await oauth.service.get(Authorizations).refuse(await check({}), me, '10.0.0.9');
    expect(await oauth.lastRecord()).toMatchObject({
      event: 'authorize',
      outcome: 'AUTHENTICATOR_ACCESS_DENIED',
      username: 'testuser1',
      client_id: 'portal',
      address: '10.0.0.9',
    });
  });
});

it('refuses a device a code for a client that is not known', async () => {
  for (const body of [{}, { client_id: 'nobody' }, { client_id: 'portal', client_key: 'x' }]) {
    const { status } = await oauth.send('POST', '/device/code', body);
    expect(status).toBe(401);
    expect(await oauth.lastRecord()).toMatchObject({
      event: 'device',
      outcome: 'AUTHENTICATOR_INVALID_CLIENT',
    });
  }
});
