import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { PageBrowser } from '@libs/kit';
import { Setting } from './support/setting';

const CALLBACK = '/v3/oauth2/extensions/oa2/callback';
let setting: Setting;
let provider: Awaited<ReturnType<typeof startProvider>>;

/** `oidc-provider`, which is certified, with its own login and consent pages answered by the test. */
async function startProvider(redirectUri: string) {
  // it warns of everything that would be wrong in earnest
  for (const level of ['warn', 'info'] as const)
    jest.spyOn(console, level).mockImplementation(() => undefined);
  // the package has no types
  const { default: Provider } = await import('oidc-provider' as string);
  const server: Server = createServer((request, response) => handle(request, response));
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: 'platform',
        client_secret: 'provider-secret',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    claims: { profile: ['preferred_username'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a'] },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({
        sub,
        ...(sub.startsWith('mail-')
          ? { email: `${sub}@example.org`, email_verified: !sub.includes('unverified') }
          : { preferred_username: sub }),
      }),
    }),
  });
  const handle = oidc.callback();
  return { issuer, close: () => new Promise((done) => server.close(done)) };
}

beforeAll(async () => {
  setting = await Setting.start();
  provider = await startProvider(`http://${setting.hostOf()}${CALLBACK}`);
});
afterAll(async () => {
  await provider?.close();
  await setting?.close();
});
beforeEach(() => setting.configure({ custom_idp_configuration: oidc() }));

const settings = () => ({
  issuer: provider.issuer,
  client_id: 'platform',
  client_secret: 'provider-secret',
});
const oidc = (more: object = {}) => ({ oidc: { ...settings(), ...more } });

/** From our login page to the provider, through its pages, and to the address it sends the browser back to. */
async function visit(browser: PageBrowser, as: string, page = '/v3/oauth2/login?to=account') {
  await browser.open(page);
  if (!browser.leadsTo) return undefined;
  const away = new URL(browser.leadsTo);
  expect(away.origin).toBe(provider.issuer);
  const theirs = new PageBrowser(away.origin, away.host);
  await theirs.open(away.pathname + away.search);
  await theirs.submit({ login: as, password: 'anything' });
  while (theirs.forms().length) await theirs.submit();
  const back = new URL(theirs.leadsTo);
  return back.pathname + back.search;
}
async function logIn(as: string, browser = setting.browser(), page?: string) {
  const back = await visit(browser, as, page);
  return browser.open(back!);
}
const whoIs = (browser: PageBrowser) =>
  /<div class="who">\s*<span>([^<]*)</.exec(browser.text)?.[1];

it('lets in whom the provider knows, by code, state, nonce and PKCE', async () => {
  const browser = setting.browser();
  await browser.open('/v3/oauth2/login');
  const query = new URL(browser.leadsTo).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    client_id: 'platform',
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `http://${setting.hostOf()}${CALLBACK}`,
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(query.get(name)!.length).toBeGreaterThan(30);
  await logIn('eve', browser);
  expect(whoIs(browser)).toBe('eve');
});

it('keeps what the person came for', async () => {
  await setting.as('bob', '/clients', {
    body: { client_id: 'portal', callback_url: 'https://portal.example/cb' },
  });
  const query =
    'client_id=portal&redirect_uri=https%3A%2F%2Fportal.example%2Fcb&response_type=code';
  const browser = await logIn(
    'eve',
    setting.browser(),
    `/v3/oauth2/authorize?${query}&state=x%26y`,
  );
  expect(browser.title).toBe('Allow access?');
  await browser.submit({ approve: 'yes' });
  expect(new URL(browser.leadsTo).searchParams.get('state')).toBe('x&y');
});

it('lets the same browser in a second time', async () => {
  const browser = await logIn('eve');
  await browser.open('/v3/oauth2/logout');
  await logIn('fay', browser);
  expect(whoIs(browser)).toBe('fay');
});

it('takes the e-mail address where there is no other name, if it was verified', async () => {
  expect(whoIs(await logIn('mail-gus'))).toBe('mail-gus@example.org');
  const browser = await logIn('mail-unverified');
  expect(browser.status).toBe(400);
  expect(browser.words).toContain('verified');
});

it('takes an answer only from where this browser went, and once', async () => {
  const browser = setting.browser();
  const back = (await visit(browser, 'eve'))!;
  const thief = setting.browser();
  expect((await thief.open(back)).status).toBe(400);
  await thief.open('/v3/oauth2/login');
  expect((await thief.open(back)).status).toBe(400);
  const other = back.replace(/state=[^&]*/, 'state=other');
  expect((await browser.open(other)).status).toBe(400);
  // the refusal has ended that way out
  expect((await browser.open(back)).status).toBe(400);
  const again = setting.browser();
  const second = (await visit(again, 'eve'))!;
  expect((await again.open(second)).status).toBe(200);
  expect((await again.open(second)).status).toBe(400);
});

it('says what the provider refuses', async () => {
  const browser = setting.browser();
  await browser.open('/v3/oauth2/login');
  const state = new URL(browser.leadsTo).searchParams.get('state')!;
  await browser.open(`${CALLBACK}?error=access_denied%3Cb%3E&state=${state}`);
  expect(browser.status).toBe(400);
  expect(browser.words).toContain('access_denied<b>');
});

it('lets nobody in by password, and knows people by name alone', async () => {
  const body = { grant_type: 'password', username: 'ann', password: 'ann-password' };
  expect((await setting.ask('/tokens', { body })).status).toBe(400);
  expect((await setting.as('eve', '/userinfo')).body.result.username).toBe('eve');
  expect((await setting.as('eve', '/profiles')).status).toBe(400);
});

it('offers several providers, and tells their people apart', async () => {
  const idp = (idp_id: string, more: object) => ({ idp_id, idp_name: `The ${idp_id}`, ...more });
  const idps = [
    idp('campus', { ...oidc(), append_idp_to_username: true }),
    idp('lab', { ...oidc(), idp_description: 'For guests' }),
  ];
  await setting.configure({ custom_idp_configuration: { multi_idps: { idps } } });
  const browser = await setting.browser().open('/v3/oauth2/login?to=account');
  expect(browser.title).toBe('Where is your account?');
  expect(browser.words).toContain('For guests');
  const page = (id: string) => `/v3/oauth2/login?to=account&idp=${id}`;
  expect(whoIs(await logIn('eve', setting.browser(), page('campus')))).toBe('eve@campus');
  expect(whoIs(await logIn('eve', setting.browser(), page('lab')))).toBe('eve');
  await setting.browser().open(page('nobody'));
});

it('goes by explicit addresses as well', async () => {
  const { issuer, ...client } = settings();
  const urls = {
    identity_redirect_url: `${issuer}/auth`,
    oauth2_token_url: `${issuer}/token`,
    user_info_url: `${issuer}/me`,
  };
  await setting.configure({ custom_idp_configuration: { oidc: { ...client, ...urls } } });
  expect(whoIs(await logIn('eve'))).toBe('eve');
});

it('keeps the secret of the client where no answer shows it', async () => {
  const { text } = await setting.as('admin', '/admin/config');
  expect(text).toContain(provider.issuer);
  expect(text).not.toContain('provider-secret');
});

it('reaches no address that is not public where the site does not allow it', async () => {
  const own = await Setting.start({ ALLOW_PRIVATE_ADDRESSES: 'false' });
  try {
    await own.configure({ custom_idp_configuration: oidc() });
    const browser = await own.browser().open('/v3/oauth2/login');
    expect(browser.status).toBe(502);
    expect(browser.words).toContain('not a public one');
  } finally {
    await own.close();
  }
});

it('refuses a config that can’t work, all at once', async () => {
  const wrong = {
    oidc: { client_id: '', issuer: 'ftp://x', more: 1 },
    github: {},
    magic: {},
  };
  const answer = await setting.as('admin', '/admin/config', {
    method: 'PUT',
    body: { custom_idp_configuration: wrong },
  });
  expect(answer.status).toBe(400);
  for (const text of [
    'at most one',
    'client_id',
    'issuer',
    'more',
    'github.client_secret',
    'magic',
  ])
    expect(answer.body.message).toContain(text);
});

describe('a provider that cheats', () => {
  let server: Server;
  let issuer: string;
  let tokenOf: (claims: Record<string, unknown>) => Promise<string>;
  let claims: Record<string, unknown>;
  let nonce: string;
  let token: string | undefined;

  beforeAll(async () => {
    const good = await generateKeyPair('RS256', { extractable: true });
    const other = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(good.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
    tokenOf = (more) => {
      const { key, alg = 'RS256', ...said } = more;
      const all = { sub: 'eve', preferred_username: 'eve', nonce, ...said };
      const signer = new SignJWT(all)
        .setProtectedHeader({ alg: alg as string, kid: 'k' })
        .setIssuedAt();
      if (!('exp' in said)) signer.setExpirationTime('5m');
      if (!('iss' in said)) signer.setIssuer(issuer);
      if (!('aud' in said)) signer.setAudience('platform');
      if (alg === 'HS256') return signer.sign(new TextEncoder().encode('x'.repeat(32)));
      return signer.sign(key === 'other' ? other.privateKey : good.privateKey);
    };
    server = createServer((request, response) => {
      const send = (body: object) => response.end(JSON.stringify(body));
      if (request.url?.includes('openid-configuration'))
        return send({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
        });
      if (request.url === '/jwks') return send({ keys: [jwk] });
      void (token === undefined ? tokenOf(claims) : Promise.resolve(token)).then((id_token) =>
        send({ access_token: 'a', id_token }),
      );
    });
    await new Promise<void>((done) => server.listen(0, 'localhost', done));
    issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const attempt = async (said: Record<string, unknown>, made?: string) => {
    await setting.configure({ custom_idp_configuration: oidc({ issuer }) });
    const browser = await setting.browser().open('/v3/oauth2/login?to=account');
    const query = new URL(browser.leadsTo).searchParams;
    nonce = query.get('nonce')!;
    claims = said;
    token = made;
    return browser.open(`${CALLBACK}?code=c&state=${query.get('state')}`);
  };

  it('is believed when it does not', async () => {
    expect(whoIs(await attempt({}))).toBe('eve');
  });

  it.each([
    ['another key', { key: 'other' }],
    ['a symmetric signature', { alg: 'HS256' }],
    ['another issuer', { iss: 'http://evil.example' }],
    ['another audience', { aud: 'somebody' }],
    ['several audiences, meant for another', { aud: ['platform', 'other'], azp: 'other' }],
    ['an old token', { exp: 1_000_000 }],
    ['another nonce', { nonce: 'n' }],
    ['no nonce', { nonce: undefined }],
    ['no name', { preferred_username: undefined }],
    ['a name with a line break', { preferred_username: 'eve\nroot' }],
    ['a name of blanks', { preferred_username: '  ' }],
    ['an endless name', { preferred_username: 'x'.repeat(500) }],
  ])('is not believed: %s', async (_, said) => {
    const browser = await attempt(said);
    expect(browser.status).toBe(400);
    expect((await browser.open('/v3/oauth2/login')).leadsTo).toContain(issuer);
  });

  it('is not believed without an identity token, or with one that is not signed', async () => {
    expect((await attempt({}, '')).status).toBe(400);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'none' })}.${part({ sub: 'eve', preferred_username: 'eve' })}.`;
    expect((await attempt({}, unsigned)).status).toBe(400);
  });
});

describe('GitHub', () => {
  let server: Server;
  let base: string;
  let login: unknown;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/user') return response.end(JSON.stringify({ login }));
      return response.end(
        JSON.stringify(login ? { access_token: 'gh' } : { error: 'bad_verification_code' }),
      );
    });
    await new Promise<void>((done) => server.listen(0, 'localhost', done));
    base = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('names people by their login there', async () => {
    const github = { client_id: 'c', client_secret: 's', base_url: base, api_url: base };
    await setting.configure({ custom_idp_configuration: { github } });
    const enter = async () => {
      const browser = await setting.browser().open('/v3/oauth2/login?to=account');
      const away = new URL(browser.leadsTo);
      expect(away.pathname).toBe('/login/oauth/authorize');
      return browser.open(`${CALLBACK}?code=c&state=${away.searchParams.get('state')}`);
    };
    login = 'octocat';
    expect(whoIs(await enter())).toBe('octocat@github.com');
    login = undefined;
    const refused = await enter();
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('bad_verification_code');
  });
});
