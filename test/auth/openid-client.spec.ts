import { PlatformProcess } from '@libs/flows';
import * as oidc from 'openid-client';
import { end } from '../fixtures/end';
import { PlainBrowser } from '../fixtures/plain-browser';

const CALLBACK = 'https://portal.example.org/callback';
const ME = { username: 'testuser1', password: 'testuser1' };

/** A client library that nobody here wrote, against the running platform over HTTP. */
describe('openid-client', () => {
  let platform: PlatformProcess;
  const issuer = () => new URL(`${platform.baseUrl()}/v3/oauth2`);

  beforeAll(async () => {
    platform = await PlatformProcess.start();
  });
  /** What must be readable nowhere afterwards: neither in logs nor in tables. */
  const secrets: Record<string, string> = {};
  afterAll(() => end(platform, [], secrets));

  const registered = async (more: object = {}) => {
    const { token } = await platform.as('testuser1');
    // not through the session, which keeps every answer to be searched for secrets: this one has the key
    const made = await fetch(`${platform.baseUrl()}/v3/oauth2/clients`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [platform.header('Token')]: token! },
      body: JSON.stringify({ callback_url: CALLBACK, ...more }),
    });
    const { result } = (await made.json()) as {
      result: { client_id: string; client_key?: string };
    };
    return result;
  };
  const discover = (id: string, key?: string, auth?: oidc.ClientAuth) =>
    oidc.discovery(issuer(), id, key, auth, { execute: [oidc.allowInsecureRequests] });

  /** A person logs in with user name and password, allows it, and is sent back. */
  const consent = async (config: oidc.Configuration, parameters: Record<string, string>) => {
    const browser = new PlainBrowser();
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, ...parameters });
    await browser.open(url);
    await browser.submit('/login', ME);
    return (await browser.submit('/authorize', { approve: 'yes' })).url;
  };

  /** Code with PKCE, state and nonce; then who it was, and new tokens. */
  const wholeRound = async (config: oidc.Configuration) => {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
    const back = await consent(config, {
      scope: 'openid',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(config, back, checks);
    const { client_id } = config.clientMetadata();
    secrets[`a code of ${client_id}`] = back.searchParams.get('code')!;
    secrets[`a refresh token of ${client_id}`] = tokens.refresh_token!;
    secrets[`an access token of ${client_id}`] = tokens.access_token;
    secrets[`an identity token of ${client_id}`] = tokens.id_token!;
    expect(tokens.claims()).toMatchObject({ sub: 'testuser1@dev', iss: issuer().href });
    const userinfo = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub);
    expect(userinfo).toMatchObject({ sub: 'testuser1@dev', preferred_username: 'testuser1' });
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(renewed.access_token).not.toBe(tokens.access_token);
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    // what it gives opens the rest of the platform
    const systems = platform.anonymous().with({ token: renewed.access_token });
    expect((await systems.call('GET', '/v3/systems')).status).toBe(200);
    return { back, checks, tokens, renewed };
  };

  it.each([
    ['client_secret_basic', oidc.ClientSecretBasic],
    ['client_secret_post', oidc.ClientSecretPost],
  ])(
    'completes code with PKCE, userinfo and refresh as a client with a key (%s)',
    async (_, auth) => {
      // characters that a form encodes
      const { client_id, client_key } = await registered({
        client_key: `a key+%:/ ${Math.random()}`,
      });
      secrets[`the key of ${client_id}`] = client_key!;
      const { back, checks, renewed } = await wholeRound(
        await discover(client_id, client_key, auth(client_key)),
      );
      // the same answer of the browser a second time
      const config = await discover(client_id, client_key, auth(client_key));
      await expect(oidc.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({
        status: 400,
        error: 'invalid_grant',
      });
      const dead = platform.anonymous().with({ token: renewed.access_token });
      expect((await dead.call('GET', '/v3/systems')).status).toBe(401);
    },
  );

  it('completes it as a public client', async () => {
    const { client_id, client_key } = await registered({ client_type: 'public' });
    expect(client_key).toBeUndefined();
    await wholeRound(await discover(client_id, undefined, oidc.None()));
  });

  it('reads why it was refused', async () => {
    const { client_id } = await registered();
    const config = await discover(client_id, 'wrong');
    await expect(oidc.refreshTokenGrant(config, 'x')).rejects.toMatchObject({
      status: 401,
    });
    const denied = new PlainBrowser();
    await denied.open(
      oidc.buildAuthorizationUrl(config, { redirect_uri: 'https://evil.example/' }),
    );
    await expect(denied.submit('/login', ME)).rejects.toThrow('redirect_uri');
  });

  it('completes the device flow', async () => {
    const { client_id } = await registered({ client_type: 'public', display_name: 'Command line' });
    const config = await discover(client_id, undefined, oidc.None());
    const started = await oidc.initiateDeviceAuthorization(config, { scope: 'openid' });
    expect(started).toMatchObject({ interval: 5, expires_in: 600 });
    const tokens = oidc.pollDeviceAuthorizationGrant(config, started);
    secrets['a device code'] = started.device_code;
    const browser = new PlainBrowser();
    await browser.open(started.verification_uri);
    await browser.submit('/login', ME);
    const asked = await browser.submit('/device', { user_code: started.user_code });
    expect(asked.html).toContain('Command line');
    const done = await browser.submit('/device', { approve: 'yes' });
    expect(done.status).toBe(200);
    const { access_token } = await tokens;
    const userinfo = await oidc.fetchUserInfo(config, access_token, 'testuser1@dev');
    expect(userinfo.sub).toBe('testuser1@dev');
    await oidc.tokenRevocation(config, access_token);
    const after = oidc.fetchUserInfo(config, access_token, 'testuser1@dev');
    await expect(after).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });
});
