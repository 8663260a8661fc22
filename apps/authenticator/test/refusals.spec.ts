import { Authorizations } from '../src/actions/authorizations';
import { basic, CALLBACK, type MadeClient, OAuthService, pkce } from './oauth-service';

let oauth: OAuthService;
let client: MadeClient;
let other: MadeClient;
beforeAll(async () => {
  oauth = await OAuthService.start();
  client = await oauth.client({ client_id: 'portal' });
  other = await oauth.client({ client_id: 'other-portal' });
  await oauth.client({ client_id: 'open-portal', client_type: 'public' });
});
afterAll(() => oauth.stop());

const keyed = () => ({ client_id: 'portal', client_key: client.client_key });
const otherKeyed = () => ({ client_id: 'other-portal', client_key: other.client_key });
const me = { username: 'testuser1' };
const password = { grant_type: 'password', username: 'testuser1', password: 'testuser1' };
const code = async () => ({
  grant_type: 'authorization_code',
  redirect_uri: CALLBACK,
  code: await oauth.code({ client_id: 'portal' }),
});
const withPkce = async () => {
  const { challenge } = pkce();
  const begun = { client_id: 'portal', code_challenge: challenge, code_challenge_method: 'S256' };
  return { ...(await code()), code: await oauth.code(begun) };
};
const refresh = async () => {
  const { body } = await oauth.send('POST', '/tokens', { ...password, ...keyed() });
  const { refresh_token } = body.result.refresh_token;
  return { grant_type: 'refresh_token', refresh_token };
};
const device = async (answer?: 'yes' | 'no') => {
  const { body } = await oauth.send('POST', '/device/code', { client_id: 'portal' });
  const { device_code, user_code } = body.result;
  const answers = oauth.service.get(Authorizations);
  if (answer === 'yes') await answers.approveDevice('dev', user_code, me);
  if (answer === 'no') await answers.refuseDevice('dev', user_code, me);
  return { grant_type: 'device_code', client_id: 'portal', device_code };
};
const sql = (text: string) => oauth.database.query(text);

interface Refusal {
  what: string;
  /** Answers the body, and the headers where there are any. */
  send: () => Promise<object>;
  headers?: () => Record<string, string>;
  error: string;
  status?: number;
  says: string;
  username?: string | null;
}

const BAD_CLIENT = {
  error: 'invalid_client',
  status: 401,
  says: 'Invalid client credentials',
};

/** Every way in which a grant can be refused. */
const REFUSALS: Refusal[] = [
  {
    what: 'an unknown grant',
    send: async () => ({ grant_type: 'magic' }),
    error: 'unsupported_grant_type',
    says: 'Invalid grant_type "magic"',
  },
  {
    what: 'implicit at the token endpoint',
    send: async () => ({ grant_type: 'implicit', ...keyed() }),
    error: 'unsupported_grant_type',
    says: 'response_type=token',
  },
  // clients
  {
    what: 'an unknown client',
    send: async () => ({ ...password, client_id: 'nobody', client_key: 'x' }),
    ...BAD_CLIENT,
  },
  {
    what: 'a wrong client key',
    send: async () => ({ ...password, client_id: 'portal', client_key: 'x' }),
    ...BAD_CLIENT,
  },
  {
    what: 'a wrong client key in the header',
    send: async () => password,
    headers: () => basic('portal', 'x'),
    ...BAD_CLIENT,
  },
  {
    what: 'a header that is not Basic credentials',
    send: async () => password,
    headers: () => ({ authorization: 'Basic !' }),
    ...BAD_CLIENT,
  },
  {
    what: 'a confidential client without its key',
    send: async () => ({ ...password, client_id: 'portal' }),
    ...BAD_CLIENT,
  },
  {
    what: 'a public client with a key',
    send: async () => ({ ...password, client_id: 'open-portal', client_key: 'x' }),
    ...BAD_CLIENT,
  },
  {
    what: 'a client that authenticates twice',
    send: async () => ({ ...password, ...keyed() }),
    headers: () => basic('portal', client.client_key),
    error: 'invalid_request',
    says: 'header and in the body',
  },
  {
    what: 'a key without a client',
    send: async () => ({ ...password, client_key: 'x' }),
    error: 'invalid_request',
    says: 'client_id',
  },
  // password
  {
    what: 'no user name',
    send: async () => ({ grant_type: 'password', password: 'x' }),
    error: 'invalid_request',
    says: 'username',
  },
  {
    what: 'no password',
    send: async () => ({ grant_type: 'password', username: 'testuser1' }),
    error: 'invalid_request',
    says: 'password',
    username: 'testuser1',
  },
  {
    what: 'a wrong password',
    send: async () => ({ ...password, password: 'wrong' }),
    error: 'invalid_grant',
    says: 'Invalid username/password combination.',
    username: 'testuser1',
  },
  {
    what: 'an unknown user',
    send: async () => ({ ...password, username: 'nobody' }),
    error: 'invalid_grant',
    says: 'Invalid username/password combination.',
    username: 'nobody',
  },
  // authorization_code
  {
    what: 'a code without a client',
    send: code,
    error: 'invalid_client',
    status: 401,
    says: 'needs a client',
  },
  {
    what: 'a code with the mere id of a confidential client',
    send: async () => ({ ...(await code()), client_id: 'portal' }),
    ...BAD_CLIENT,
  },
  {
    what: 'no code',
    send: async () => ({ ...(await code()), ...keyed(), code: undefined }),
    error: 'invalid_request',
    says: 'needs code',
  },
  {
    what: 'no redirect_uri',
    send: async () => ({ ...(await code()), ...keyed(), redirect_uri: undefined }),
    error: 'invalid_request',
    says: 'needs redirect_uri',
  },
  {
    what: 'another redirect_uri',
    send: async () => ({ ...(await code()), ...keyed(), redirect_uri: `${CALLBACK}/` }),
    error: 'invalid_grant',
    says: 'redirect_uri',
    username: 'testuser1',
  },
  {
    what: 'an unknown code',
    send: async () => ({ ...(await code()), ...keyed(), code: 'x'.repeat(40) }),
    error: 'invalid_grant',
    says: 'unknown',
  },
  {
    what: "another client's code",
    send: async () => ({ ...(await code()), ...otherKeyed() }),
    error: 'invalid_grant',
    says: 'another client',
  },
  {
    what: 'an expired code',
    send: async () => {
      const body = { ...(await code()), ...keyed() };
      await sql("UPDATE authorization_code SET expires = now() - interval '1 second'");
      return body;
    },
    error: 'invalid_grant',
    says: 'expired',
    username: 'testuser1',
  },
  {
    what: 'a used code',
    send: async () => {
      const body = { ...(await code()), ...keyed() };
      await oauth.send('POST', '/tokens', body);
      return body;
    },
    error: 'invalid_grant',
    says: 'used before',
    username: 'testuser1',
  },
  {
    what: 'no code_verifier',
    send: async () => ({ ...(await withPkce()), ...keyed() }),
    error: 'invalid_grant',
    says: 'code_verifier',
    username: 'testuser1',
  },
  {
    what: 'a wrong code_verifier',
    send: async () => ({ ...(await withPkce()), ...keyed(), code_verifier: pkce().verifier }),
    error: 'invalid_grant',
    says: 'code_verifier',
    username: 'testuser1',
  },
  {
    what: 'a code_verifier nobody asked for',
    send: async () => ({ ...(await code()), ...keyed(), code_verifier: pkce().verifier }),
    error: 'invalid_grant',
    says: 'code_challenge',
    username: 'testuser1',
  },
  // refresh_token
  {
    what: 'a refresh without a client',
    send: refresh,
    error: 'invalid_client',
    status: 401,
    says: 'needs a client',
  },
  {
    what: 'no refresh token',
    send: async () => ({ grant_type: 'refresh_token', ...keyed() }),
    error: 'invalid_request',
    says: 'refresh_token',
  },
  {
    what: "another client's refresh token",
    send: async () => ({ ...(await refresh()), ...otherKeyed() }),
    error: 'invalid_grant',
    says: 'not one of this client',
  },
  {
    what: 'no refresh token at all',
    send: async () => ({ ...(await refresh()), ...keyed(), refresh_token: 'nonsense' }),
    error: 'invalid_grant',
    says: 'refused',
  },
  {
    what: 'a refresh token that is not signed by the tenant',
    send: async () => {
      const { refresh_token } = await refresh();
      const forged = refresh_token.replace(/\.[^.]+$/, `.${'A'.repeat(342)}`);
      return { grant_type: 'refresh_token', ...keyed(), refresh_token: forged };
    },
    error: 'invalid_grant',
    says: 'expired, is revoked, or was used',
    username: 'testuser1',
  },
  {
    what: 'an access token in place of a refresh token',
    send: async () => ({
      grant_type: 'refresh_token',
      ...keyed(),
      refresh_token: await oauth.token(),
    }),
    error: 'invalid_grant',
    says: 'refused',
  },
  {
    what: 'a used refresh token',
    send: async () => {
      const body = { ...(await refresh()), ...keyed() };
      await oauth.send('POST', '/tokens', body);
      return body;
    },
    error: 'invalid_grant',
    says: 'used before',
    username: 'testuser1',
  },
  {
    what: 'a revoked refresh token',
    send: async () => {
      const body = { ...(await refresh()), ...keyed() };
      await oauth.send('POST', '/tokens/revoke', { token: body.refresh_token });
      return body;
    },
    error: 'invalid_grant',
    says: 'revoked',
    username: 'testuser1',
  },
  // device_code
  {
    what: 'a device without a client',
    send: async () => ({ ...(await device()), client_id: undefined }),
    error: 'invalid_client',
    status: 401,
    says: 'needs a client',
  },
  {
    what: 'no device code',
    send: async () => ({ grant_type: 'device_code', client_id: 'portal' }),
    error: 'invalid_request',
    says: 'device_code',
  },
  {
    what: 'an unknown device code',
    send: async () => ({ ...(await device()), device_code: 'x'.repeat(40) }),
    error: 'invalid_grant',
    says: 'unknown',
  },
  {
    what: "another client's device code",
    send: async () => ({ ...(await device('yes')), client_id: 'open-portal' }),
    error: 'invalid_grant',
    says: 'another client',
  },
  {
    what: 'a device code nobody has answered',
    send: () => device(),
    error: 'authorization_pending',
    says: 'not ready',
  },
  {
    what: 'a device that asks too often',
    send: async () => {
      const body = await device();
      await oauth.send('POST', '/tokens', body);
      return body;
    },
    error: 'slow_down',
    says: 'too soon',
  },
  {
    what: 'a device the person refused',
    send: () => device('no'),
    error: 'access_denied',
    says: 'refused',
    username: 'testuser1',
  },
  {
    what: 'an expired device code',
    send: async () => {
      const body = await device('yes');
      await sql("UPDATE device_code SET expires = now() - interval '1 second'");
      return body;
    },
    error: 'expired_token',
    says: 'expired',
    username: 'testuser1',
  },
  {
    what: 'a used device code',
    send: async () => {
      const body = await device('yes');
      await oauth.send('POST', '/tokens', body);
      return body;
    },
    error: 'invalid_grant',
    says: 'unknown, used',
  },
];

describe.each(REFUSALS)('$what', (refusal) => {
  const { send, error, status = 400, says } = refusal;
  const check = async (way: 'enveloped' | 'raw') => {
    const body = await send();
    const headers = refusal.headers?.() ?? {};
    const [given, before] = [await oauth.issued(), (await oauth.records()).length];
    const answer =
      way === 'enveloped'
        ? await oauth.send('POST', '/tokens', body, headers)
        : await oauth.raw('/tokens/oidc', body as Record<string, string>, headers);
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Basic realm="dev"');
    // no token, neither in the answer nor behind it
    expect(answer.text).not.toMatch(/eyJ|access_token"/);
    expect(await oauth.issued()).toBe(given);
    const records = (await oauth.records()).slice(before);
    const outcome = `AUTHENTICATOR_${error.toUpperCase()}`;
    expect(records).toEqual([
      expect.objectContaining({ event: 'token', outcome, status, address: '127.0.0.1' }),
    ]);
    const { grant_type, username } = body as { grant_type: string; username?: string };
    const [record] = records;
    expect(record!.grant_type).toBe(grant_type);
    if (refusal.username !== undefined) expect(record!.username).toBe(refusal.username ?? username);
    return answer;
  };

  it('is refused in the envelope, with a record and no token', async () => {
    const { body } = await check('enveloped');
    expect(body).toMatchObject({ status: 'error', result: null });
    expect(body.message).toContain(`AUTHENTICATOR_${error.toUpperCase()} `);
    expect(body.message).toContain(says);
  });

  it('is refused to libraries, with a record and no token', async () => {
    const { body, headers } = await check('raw');
    expect(body).toEqual({ error, error_description: expect.stringContaining(says) });
    expect(headers['cache-control']).toBe('no-store');
  });
});
