import { decodeJwt } from 'jose';
import { call } from '@libs/kit';
import { Authorizations } from '../src/actions/authorizations';
import { GRANT_TYPES } from '../src/domain/tenant-config';
import { basic, CALLBACK, type MadeClient, OAuthService, pkce } from './oauth-service';

let oauth: OAuthService;
let client: MadeClient;
beforeAll(async () => {
  oauth = await OAuthService.start();
  client = await oauth.client({ client_id: 'portal' });
});
afterAll(() => oauth.stop());

const ask = (body: object, headers = {}) => oauth.send('POST', '/tokens', body, headers);
const keyed = () => ({ client_id: client.client_id, client_key: client.client_key });
const login = { grant_type: 'password', username: 'testuser1', password: 'testuser1' };

describe('the password grant', () => {
  it('gives a refresh token to a client with its key only', async () => {
    const alone = (await ask(login)).body.result;
    expect(alone.refresh_token).toBeUndefined();
    expect(decodeJwt(alone.access_token.access_token)).toMatchObject({
      sub: 'testuser1@dev',
      'svc/client_id': null,
      'svc/grant_type': 'password',
    });
    for (const way of [
      ask({ ...login, ...keyed() }),
      ask(login, basic(client.client_id, client.client_key)),
    ]) {
      const { access_token: access, refresh_token: refresh } = (await way).body.result;
      expect(access.expires_in).toBe(14_400);
      expect(refresh).toMatchObject({ expires_in: 31_536_000, jti: expect.any(String) });
      expect(decodeJwt(access.access_token)).toMatchObject({
        'svc/client_id': 'portal',
        'svc/refresh_count': 0,
      });
    }
  });

  it('is written down, without any secret', async () => {
    await ask({ ...login, ...keyed() });
    expect(await oauth.lastRecord()).toEqual({
      event: 'token',
      outcome: 'ISSUED',
      status: 200,
      username: 'testuser1',
      client_id: 'portal',
      grant_type: 'password',
      address: '127.0.0.1',
    });
  });
});

describe('the authorization code grant', () => {
  const exchange = (code: string, more: object = {}) =>
    ask({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...keyed(), ...more });

  it('sends code and state to the very callback_url, with who answers', async () => {
    const state = 'a b&c=d#e';
    const url = await oauth.approved({ client_id: 'portal', state });
    expect(url.href.startsWith(`${CALLBACK}&code=`)).toBe(true);
    expect(url.searchParams.get('state')).toBe(state);
    expect(url.searchParams.get('code')).toHaveLength(40);
    expect(url.searchParams.get('iss')).toBe(
      `${oauth.double.url.replace('127.0.0.1', 'localhost')}/v3/oauth2`,
    );
    expect(url.searchParams.get('from')).toBe('platform');
  });

  it('gives tokens that say where they went', async () => {
    const { body, status } = await exchange(await oauth.code({ client_id: 'portal' }));
    expect(status).toBe(200);
    expect(decodeJwt(body.result.access_token.access_token)).toMatchObject({
      sub: 'testuser1@dev',
      'svc/client_id': 'portal',
      'svc/grant_type': 'authorization_code',
      'svc/redirect_uri': CALLBACK,
      'svc/refresh_count': 0,
    });
    expect(body.result.refresh_token.refresh_token).toBeTruthy();
  });

  it('keeps no code that could be read', async () => {
    const code = await oauth.code({ client_id: 'portal' });
    const rows = JSON.stringify(await oauth.database.query('SELECT * FROM authorization_code'));
    expect(rows).not.toContain(code);
  });

  it('proves with PKCE that who asks is who began', async () => {
    const { verifier, challenge } = pkce();
    const begun = { client_id: 'portal', code_challenge: challenge, code_challenge_method: 'S256' };
    expect((await exchange(await oauth.code(begun), { code_verifier: verifier })).status).toBe(200);
    const code = await oauth.code(begun);
    for (const code_verifier of [undefined, pkce().verifier, challenge, 'short'])
      expect((await exchange(code, { code_verifier })).status).toBe(400);
    // a wrong guess does not use the code up
    expect((await exchange(code, { code_verifier: verifier })).status).toBe(200);
    const plain = await oauth.code({ client_id: 'portal' });
    expect((await exchange(plain, { code_verifier: verifier })).status).toBe(400);
  });

  it('lets a public client in without a key, with PKCE', async () => {
    const { client_id } = await oauth.client({ client_type: 'public' });
    const { verifier, challenge } = pkce();
    await expect(oauth.code({ client_id })).rejects.toThrow('PKCE');
    const code = await oauth.code({
      client_id,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const body = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, client_id };
    const { status, body: answer } = await ask({ ...body, code_verifier: verifier });
    expect(status).toBe(200);
    const refresh = { grant_type: 'refresh_token', client_id };
    const { refresh_token } = answer.result.refresh_token;
    expect((await ask({ ...refresh, refresh_token })).status).toBe(200);
  });

  it('takes a code once; a second use ends what the first one gave', async () => {
    const code = await oauth.code({ client_id: 'portal' });
    const { access_token: access, refresh_token: refresh } = (await exchange(code)).body.result;
    expect(await oauth.isGood(access.access_token)).toBe(true);
    const again = await exchange(code);
    expect([again.status, again.body.message]).toEqual([
      400,
      expect.stringContaining('used before'),
    ]);
    expect(await oauth.isGood(access.access_token)).toBe(false);
    const { refresh_token } = refresh;
    expect((await ask({ grant_type: 'refresh_token', refresh_token, ...keyed() })).status).toBe(
      400,
    );
  });

  it('leaves nothing good when two use a code at once', async () => {
    const code = await oauth.code({ client_id: 'portal' });
    const answers = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    for (const { body } of answers)
      if (body.result)
        expect(await oauth.isGood(body.result.access_token.access_token)).toBe(false);
    expect(answers.filter((a) => a.status === 200).length).toBeLessThan(2);
  });

  it('can be tried again when the tokens service was away', async () => {
    const code = await oauth.code({ client_id: 'portal' });
    oauth.away.tokens = true;
    expect((await exchange(code)).status).toBe(503);
    oauth.away.tokens = false;
    expect((await exchange(code)).status).toBe(200);
  });
});

describe('the refresh token grant', () => {
  const pair = async () => (await ask({ ...login, ...keyed() })).body.result;
  const refresh = (token: string, more: object = keyed()) =>
    ask({ grant_type: 'refresh_token', refresh_token: token, ...more });

  it('rotates, and counts', async () => {
    const first = await pair();
    const { status, body } = await refresh(first.refresh_token.refresh_token);
    expect(status).toBe(200);
    const { access_token: access, refresh_token: next } = body.result;
    expect(next.jti).not.toBe(first.refresh_token.jti);
    expect(decodeJwt(access.access_token)).toMatchObject({
      sub: 'testuser1@dev',
      'svc/client_id': 'portal',
      'svc/refresh_count': 1,
    });
    expect((await refresh(next.refresh_token)).status).toBe(200);
  });

  it('takes a token once; a second use ends the whole login', async () => {
    const first = await pair();
    const second = (await refresh(first.refresh_token.refresh_token)).body.result;
    expect((await refresh(first.refresh_token.refresh_token)).status).toBe(400);
    expect((await refresh(second.refresh_token.refresh_token)).status).toBe(400);
    expect(await oauth.isGood(second.access_token.access_token)).toBe(false);
  });

  it('is for the client that has the token', async () => {
    const other = await oauth.client();
    const { refresh_token } = await pair();
    const stolen = await refresh(refresh_token.refresh_token, other);
    expect(stolen.status).toBe(400);
    // and that used nothing up
    expect((await refresh(refresh_token.refresh_token)).status).toBe(200);
  });

  it('ends with the person', async () => {
    const { refresh_token } = await pair();
    await oauth.database.query("UPDATE account SET enabled = false WHERE username = 'testuser1'");
    const gone = await refresh(refresh_token.refresh_token);
    await oauth.database.query("UPDATE account SET enabled = true WHERE username = 'testuser1'");
    expect([gone.status, gone.body.message]).toEqual([400, expect.stringContaining('gone')]);
  });
});

describe('a refresh token that the tokens service was handed', () => {
  const pair = async (more: object = keyed()) => (await ask({ ...login, ...more })).body.result;
  const renew = (token: string, client_id = client.client_id, who = 'tokens') => {
    const headers = oauth.double.asService(who, 'testuser1', 'dev');
    return oauth.send('POST', '/tokens/renew', { client_id, refresh_token: token }, headers);
  };

  it('gives a new pair, which is written down', async () => {
    const first = await pair();
    const before = await oauth.issued();
    const { status, body } = await renew(first.refresh_token.refresh_token);
    expect(status).toBe(200);
    expect(decodeJwt(body.result.access_token.access_token)).toMatchObject({
      sub: 'testuser1@dev',
      'svc/refresh_count': 1,
    });
    expect(await oauth.issued()).toBe(before + 1);
    expect((await renew(first.refresh_token.refresh_token)).status).toBe(400);
  });

  it('is refused when client, person or grant has stopped, and that is written down', async () => {
    const other = await oauth.client();
    const { client_id, client_key } = other;
    const { refresh_token: held } = await pair({ client_id, client_key });
    await oauth.send('DELETE', `/clients/${client_id}`, undefined, await oauth.by());
    expect((await renew(held.refresh_token, client_id)).status).toBe(400);
    expect(await oauth.lastRecord()).toMatchObject({
      outcome: 'AUTHENTICATOR_INVALID_GRANT',
      grant_type: 'refresh_token',
      client_id,
    });
    const { refresh_token } = await pair();
    await oauth.database.query("UPDATE account SET enabled = false WHERE username = 'testuser1'");
    const gone = await renew(refresh_token.refresh_token);
    await oauth.database.query("UPDATE account SET enabled = true WHERE username = 'testuser1'");
    expect([gone.status, gone.body.message]).toEqual([400, expect.stringContaining('gone')]);
    await oauth.config({ allowable_grant_types: ['password', 'authorization_code'] });
    const off = await renew(refresh_token.refresh_token);
    await oauth.config({ allowable_grant_types: [...GRANT_TYPES] });
    expect([off.status, off.body.message]).toEqual([400, expect.stringContaining('switched off')]);
  });

  it('is taken from the tokens service alone', async () => {
    const { refresh_token } = await pair();
    const { client_id } = client;
    expect((await renew(refresh_token.refresh_token, client_id, 'jobs')).status).toBe(403);
    const body = { client_id, refresh_token: refresh_token.refresh_token };
    expect((await oauth.send('POST', '/tokens/renew', body)).status).toBe(401);
    const mine = await oauth.send('POST', '/tokens/renew', body, await oauth.by());
    expect(mine.status).toBe(403);
  });
});

describe('the implicit grant', () => {
  it('answers in the fragment, without a refresh token', async () => {
    const asked = { client_id: 'portal', response_type: 'token', state: 'x y' };
    const url = await oauth.approved(asked);
    const fragment = new URLSearchParams(url.hash.slice(1));
    expect(url.href.split('#')[0]).toBe(CALLBACK);
    expect(fragment.get('token_type')).toBe('Bearer');
    expect(fragment.get('state')).toBe('x y');
    expect(fragment.get('expires_in')).toBe('14400');
    expect(fragment.has('refresh_token')).toBe(false);
    expect(decodeJwt(fragment.get('access_token')!)).toMatchObject({
      sub: 'testuser1@dev',
      'svc/client_id': 'portal',
      'svc/grant_type': 'implicit',
      'svc/redirect_uri': CALLBACK,
    });
    expect(await oauth.lastRecord()).toMatchObject({ outcome: 'ISSUED', grant_type: 'implicit' });
  });
});

describe('the device grant', () => {
  const start = async (client_id = 'portal') =>
    (await oauth.send('POST', '/device/code', { client_id })).body.result;
  const poll = (device_code: string, client_id = 'portal') =>
    ask({ grant_type: 'device_code', client_id, device_code });
  const answers = () => oauth.service.get(Authorizations);
  /** As if the device had waited. */
  const later = () =>
    oauth.database.query("UPDATE device_code SET polled = polled - interval '1 hour'");
  const me = { username: 'testuser1' };

  it('begins with codes, and where to type one', async () => {
    const made = await start();
    expect(made).toEqual({
      client_id: 'portal',
      device_code: expect.stringMatching(/^[\w-]{40}$/),
      user_code: expect.stringMatching(/^[A-Z]{8}$/),
      verification_uri: expect.stringMatching(/\/v3\/oauth2\/device\?client_id=portal$/),
      verification_uri_complete: expect.stringContaining(made.user_code),
      expires_in: 600,
      expires_at: expect.stringMatching(/Z$/),
      interval: 5,
    });
    const rows = JSON.stringify(await oauth.database.query('SELECT * FROM device_code'));
    expect(rows).not.toContain(made.device_code);
    expect(rows).not.toContain(made.user_code);
  });

  it('waits for the person, then gives one access token', async () => {
    const { device_code, user_code } = await start();
    const early = await poll(device_code);
    expect([early.status, early.body.message]).toEqual([400, expect.stringContaining('not ready')]);
    const typed = `${user_code.slice(0, 4).toLowerCase()}-${user_code.slice(4)}`;
    expect(await answers().device('dev', typed)).toMatchObject({
      userCode: user_code,
      client: { client_id: 'portal' },
    });
    await answers().approveDevice('dev', typed, me);
    await later();
    const { status, body } = await poll(device_code);
    expect(status).toBe(200);
    expect(body.result.refresh_token).toBeUndefined();
    expect(body.result.access_token.expires_in).toBe(30 * 86_400);
    expect(decodeJwt(body.result.access_token.access_token)).toMatchObject({
      sub: 'testuser1@dev',
      'svc/grant_type': 'device_code',
    });
    expect((await poll(device_code)).status).toBe(400);
    expect(await answers().device('dev', user_code)).toBeNull();
  });

  it('gives a token for as many days as the person says', async () => {
    const { device_code, user_code } = await start();
    await answers().approveDevice('dev', user_code, me, 2);
    expect((await poll(device_code)).body.result.access_token.expires_in).toBe(2 * 86_400);
  });

  it('is answered once, and never in another tenant', async () => {
    const { user_code } = await start();
    await expect(answers().approveDevice('other', user_code, me)).rejects.toThrow('unknown');
    await answers().approveDevice('dev', user_code, me);
    await expect(answers().refuseDevice('dev', user_code, me)).rejects.toThrow('answered before');
  });

  it('lets several ask at once, and gives to one', async () => {
    const { device_code, user_code } = await start();
    await answers().approveDevice('dev', user_code, me);
    const all = await Promise.all([poll(device_code), poll(device_code), poll(device_code)]);
    expect(all.filter((a) => a.status === 200)).toHaveLength(1);
  });
});

it('revokes for whoever holds a token', async () => {
  const { access_token: access, refresh_token: refresh } = (await ask({ ...login, ...keyed() }))
    .body.result;
  const end = (token: string) => oauth.send('POST', '/tokens/revoke', { token });
  const { status, body } = await end(access.access_token);
  expect([status, body.status, body.result]).toEqual([200, 'success', null]);
  expect(await oauth.isGood(access.access_token)).toBe(false);
  const [row] = await oauth.database.query<{ revoked: Date }>(
    'SELECT revoked FROM issued_token WHERE jti = $1',
    [access.jti],
  );
  expect(row!.revoked).toBeInstanceOf(Date);
  const next = await ask({
    grant_type: 'refresh_token',
    refresh_token: refresh.refresh_token,
    ...keyed(),
  });
  const { access_token, refresh_token } = next.body.result;
  expect((await end(refresh_token.refresh_token)).status).toBe(200);
  expect(await oauth.isGood(access_token.access_token)).toBe(false);
  for (const bad of ['nonsense', access.access_token, oauth.double.userToken('testuser1', 'other')])
    expect((await end(bad)).status).toBe(400);
  expect(await oauth.lastRecord()).toMatchObject({ event: 'revoke', status: 400 });
});

it('writes no secret anywhere', async () => {
  const { refresh_token, access_token } = (await ask({ ...login, ...keyed() })).body.result;
  const tables = await oauth.database.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  for (const { name } of tables) {
    const rows = JSON.stringify(await oauth.database.query(`SELECT * FROM ${name}`));
    for (const secret of [
      client.client_key,
      refresh_token.refresh_token,
      access_token.access_token,
    ])
      expect(rows).not.toContain(secret);
  }
});

it('forwards nobody past the tokens service', async () => {
  // a pair made for one tenant is nothing in another
  const { refresh_token } = (await ask({ ...login, ...keyed() })).body.result;
  const host = new URL(oauth.double.directory.tenants[2]!.base_url).host;
  const body = {
    grant_type: 'refresh_token',
    refresh_token: refresh_token.refresh_token,
    ...keyed(),
  };
  expect((await ask(body, { host })).status).toBe(401);
  expect(
    (await call(`${oauth.double.url}/v3/tokens`, { method: 'PUT', body: { refresh_token: 'x' } }))
      .status,
  ).toBe(400);
});
