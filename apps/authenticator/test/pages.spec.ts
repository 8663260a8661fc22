import { Setting } from './support/setting';

const CALLBACK = 'https://portal.example/callback';
let setting: Setting;

beforeAll(async () => {
  setting = await Setting.start();
  for (const [client_id, more] of Object.entries({
    portal: { display_name: 'The <b>portal</b>' },
    other: { callback_url: 'com.example.app:/back' },
  }))
    await setting.as('bob', '/clients', {
      body: { client_id, client_key: 'key', callback_url: CALLBACK, ...more },
    });
});
afterAll(() => setting.close());

const query = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: 'portal',
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 'a&b=<c>"',
    ...more,
  }).toString();
const login = (more?: Record<string, string>) =>
  setting.browser().open(`/v3/oauth2/authorize?${query(more)}`);
const ann = { username: 'ann', password: 'ann-password' };

describe('the way of a code', () => {
  it('asks for a password, then for consent, and comes back with a code and the state', async () => {
    const browser = await login();
    expect(browser.at).toMatch(/^\/v3\/oauth2\/login\?/);
    expect(browser.title).toBe('Log in');
    expect(browser.words).toContain('The <b>portal</b>');
    await browser.submit(ann);
    expect(browser.title).toBe('Allow access?');
    expect(browser.words).toContain('as ann in dev');
    await browser.submit({ approve: 'yes' });
    expect(browser.status).toBe(303);
    const url = new URL(browser.leadsTo);
    expect(url.origin + url.pathname).toBe(CALLBACK);
    expect(url.searchParams.get('state')).toBe('a&b=<c>"');
    const body = {
      grant_type: 'authorization_code',
      code: url.searchParams.get('code'),
      redirect_uri: CALLBACK,
      client_id: 'portal',
      client_key: 'key',
    };
    const token = await setting.ask('/tokens', { body });
    expect(token.status).toBe(200);
    expect((await setting.ask('/tokens', { body })).status).toBe(400);
  });

  it('asks somebody who is logged in for consent alone', async () => {
    const browser = await setting.loggedIn();
    await browser.open(`/v3/oauth2/authorize?${query()}`);
    expect(browser.title).toBe('Allow access?');
  });

  it('ends on a page when the person refuses', async () => {
    const browser = await (await login()).submit(ann);
    await browser.submit({ approve: 'no' });
    expect(browser.status).toBe(403);
    expect(browser.title).toBe('Access denied');
    expect(browser.leadsTo).toBe('');
  });

  it('does not ask again once it is always allowed, until that is taken back', async () => {
    const browser = await (await login({ client_id: 'portal' })).submit(ann);
    await browser.submit({ approve: 'yes', remember: 'yes' });
    await browser.open(`/v3/oauth2/authorize?${query()}`);
    expect(browser.leadsTo).toMatch(/^https:\/\/portal\.example\/callback\?code=/);
    // nor another person's word
    const bob = await setting.loggedIn('bob');
    expect((await bob.open(`/v3/oauth2/authorize?${query()}`)).title).toBe('Allow access?');
    await browser.open('/v3/oauth2/webapp/account');
    expect(browser.words).toContain('Always allowed');
    await browser.submit({}, 'consents');
    await browser.open(`/v3/oauth2/authorize?${query()}`);
    expect(browser.title).toBe('Allow access?');
  });

  it('gives the implicit token in the fragment, which no server sees', async () => {
    const browser = await (await login({ response_type: 'token' })).submit(ann);
    await browser.submit({ approve: 'yes' });
    const url = new URL(browser.leadsTo);
    expect(url.search).toBe('');
    expect(url.hash).toMatch(/^#access_token=/);
  });

  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['another redirect URI', { redirect_uri: `${CALLBACK}/` }],
    ['no redirect URI', { redirect_uri: '' }],
    ['another response type', { response_type: 'magic' }],
    ['PKCE by plain', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
  ])('says %s on a page, before anybody types a password', async (_, more) => {
    for (const page of ['authorize', 'login']) {
      const browser = await setting.browser().open(`/v3/oauth2/${page}?${query(more)}`);
      expect(browser.status).toBe(400);
      expect(browser.leadsTo).toBe('');
      expect(browser.header('content-type')).toMatch(/^text\/html/);
      expect(browser.forms()).toEqual([]);
    }
  });

  it('checks what it was asked again when the answer comes', async () => {
    const browser = await (await login()).submit(ann);
    await browser.submit({ approve: 'yes', redirect_uri: 'https://evil.example/' });
    expect(browser.status).toBe(400);
    expect(browser.leadsTo).toBe('');
  });
});

describe('the login page', () => {
  it('says the same for a wrong password and an unknown user, and keeps the values', async () => {
    const browser = await login();
    await browser.submit({ username: 'ann', password: 'wrong' });
    expect(browser.status).toBe(200);
    expect(browser.words).toContain('Invalid username/password combination.');
    expect(browser.forms()[0]!.fields).toMatchObject({ client_id: 'portal', username: 'ann' });
    expect(browser.text).not.toContain('value="wrong"');
    const wrong = browser.words;
    await browser.submit({ username: 'nobody', password: 'wrong' });
    expect(browser.words).toBe(wrong);
    await browser.submit({ username: '', password: '' });
    expect(browser.words).toBe(wrong);
  });

  it('lets nobody in with the password of another tenant', async () => {
    const browser = await setting.browser('other').open('/v3/oauth2/login');
    await browser.submit(ann);
    expect(browser.title).toBe('Log in');
  });

  it('lets only administrators of the site into its own tenant', async () => {
    const at = async (username: string) => {
      const browser = await setting.browser('admin').open('/v3/oauth2/login?to=account');
      return (await browser.submit({ username, password: username })).title;
    };
    expect(await at('guest')).toBe('Log in');
    // a person with the name of a service could be taken for it
    setting.double.security.giveRole('admin', 'systems', '$~site_admin');
    expect(await at('systems')).toBe('Log in');
    expect(await at('admin')).not.toBe('Log in');
  });

  it('is locked after too many failures, with the time to wait', async () => {
    const own = await Setting.start({ LOGIN_FAILURES: '3' });
    try {
      const browser = await own.browser().open('/v3/oauth2/login');
      for (let i = 0; i < 3; i++) await browser.submit({ username: 'bob', password: 'wrong' });
      await browser.submit({ username: 'bob', password: 'bob-password' });
      expect(browser.status).toBe(429);
      expect(Number(browser.header('retry-after'))).toBeGreaterThan(0);
      expect(browser.title).toBe('Too many attempts');
    } finally {
      await own.close();
    }
  });

  it('leaves a record of who came in and who did not, without a password', async () => {
    const { Database } = await import('@libs/database');
    const browser = await setting.browser().open('/v3/oauth2/login?to=account');
    await browser.submit({ username: 'bob', password: 'a-wrong-one' });
    await browser.submit({ username: 'bob', password: 'bob-password' });
    const rows = await setting.service
      .get(Database)
      .query(
        "SELECT * FROM auth_event WHERE event IN ('login', 'session') AND username = 'bob' ORDER BY at, id",
      );
    expect(rows.slice(-3)).toMatchObject([
      {
        event: 'login',
        outcome: expect.stringMatching(/^AUTHENTICATOR_/),
        tenant: 'dev',
        address: '127.0.0.1',
      },
      { event: 'login', outcome: 'PASSED', status: 200 },
      { event: 'session', outcome: 'LOGGED_IN', status: 200 },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/a-wrong-one|bob-password/);
  });

  it('refuses characters that nobody types, with a page', async () => {
    const browser = await setting.browser().open('/v3/oauth2/login');
    await browser.submit({ username: 'ann\0', password: 'x' });
    expect(browser.status).toBe(400);
    expect(browser.words).toContain('username');
  });

  it('shows what was typed as text', async () => {
    const browser = await setting.browser().open('/v3/oauth2/login');
    await browser.submit({ username: '"><script>alert(1)</script>', password: 'x' });
    expect(browser.text).not.toContain('<script>alert');
    expect(browser.forms()[0]!.fields['username']).toBe('"><script>alert(1)</script>');
  });

  it('asks for a tenant where the host decides none', async () => {
    const browser = setting.browser();
    Object.assign(browser, { host: 'nobody.example' });
    await browser.open(`/v3/oauth2/login?${query()}`);
    expect(browser.title).toBe('Choose a tenant');
    const links = [...browser.text.matchAll(/href="(http[^"]*login[^"]*)"/g)].map((m) => m[1]!);
    expect(links).toHaveLength(3);
    expect(links[1]).toContain(`http://${setting.hostOf('dev')}/v3/oauth2/login?client_id=portal`);
  });

  it('leads to a tenant of the registry and nowhere else', async () => {
    const form = (tenant: string) =>
      setting.browser().go('POST', '/v3/oauth2/tenant', { tenant, state: 's' });
    expect((await form('other')).leadsTo).toBe(
      `http://${setting.hostOf('other')}/v3/oauth2/login?state=s`,
    );
    expect((await form('https://evil.example')).status).toBe(400);
  });
});

describe('every page', () => {
  const PAGES = [
    'login',
    'authorize',
    'device',
    'mfa',
    'idp',
    'tenant',
    'logout',
    'done',
    'webapp',
    'webapp/callback',
    'webapp/clients',
    'webapp/clients/new',
    'webapp/account',
    'webapp/account/factor',
    'extensions/oa2/callback',
  ];

  it.each(PAGES)(
    '%s is kept by nobody, framed by nobody and runs nothing of others',
    async (page) => {
      for (const browser of [setting.browser(), await setting.loggedIn()]) {
        await browser.go('GET', `/v3/oauth2/${page}`);
        expect(browser.status).toBeLessThan(500);
        const policy = browser.header('content-security-policy');
        for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
          expect(policy).toContain(rule);
        expect(policy).not.toMatch(/unsafe|\*/);
        expect(browser.header('x-frame-options')).toBe('DENY');
        expect(browser.header('referrer-policy')).toBe('no-referrer');
        expect(browser.header('cache-control')).toBe('no-store');
        expect(browser.text).not.toMatch(/ style="| on\w+="|<style|<script(?! defer src)/);
      }
    },
  );

  it('has forms that another site can’t send', async () => {
    const browser = await setting.loggedIn();
    await browser.open(`/v3/oauth2/authorize?${query()}`);
    const { action, fields } = browser.forms()[0]!;
    const stranger = await setting.browser().open('/v3/oauth2/login');
    const theirs = stranger.forms()[0]!.fields['csrf']!;
    for (const csrf of ['', 'nonsense', theirs]) {
      await browser.go('POST', action, { ...fields, csrf, approve: 'yes' });
      expect(browser.status).toBe(403);
      expect(browser.leadsTo).toBe('');
    }
    for (const page of [
      'login',
      'device',
      'mfa',
      'webapp/refresh',
      'webapp/revoke',
      'webapp/clients/new',
    ])
      expect((await browser.go('POST', `/v3/oauth2/${page}`, { ...ann })).status).toBe(403);
  });

  it('names where a consent leads in the policy of its form, and nothing else', async () => {
    const browser = await (await login()).submit(ann);
    expect(browser.header('content-security-policy')).toContain(
      "form-action 'self' https://portal.example;",
    );
    const other = { client_id: 'other', redirect_uri: 'com.example.app:/back' };
    await browser.open(`/v3/oauth2/authorize?${query(other)}`);
    expect(browser.header('content-security-policy')).toContain(
      "form-action 'self' com.example.app:;",
    );
  });

  it('has its own stylesheet and script, which browsers may keep', async () => {
    const browser = await setting.browser().open('/v3/oauth2/login');
    const links = [...browser.text.matchAll(/(?:href|src)="(\/v3\/oauth2\/assets\/[^"]+)"/g)];
    expect(links).toHaveLength(2);
    for (const [, link] of links) {
      const answer = await browser.go('GET', link!);
      expect(answer.status).toBe(200);
      expect(answer.header('cache-control')).toContain('immutable');
    }
    expect((await browser.go('GET', '/v3/oauth2/assets/constructor')).status).toBe(404);
  });
});

describe('the browser session', () => {
  it('is a signed cookie that scripts can’t read and other sites don’t send', async () => {
    const browser = await setting.loggedIn();
    const { text, value } = browser.cookies.get('svc_session')!;
    expect(text).toMatch(/HttpOnly; SameSite=Lax/);
    expect(text).not.toContain('Secure');
    browser.cookies.get('svc_session')!.value = `${value.slice(0, -2)}xx`;
    await browser.open('/v3/oauth2/webapp/account');
    expect(browser.title).toBe('Log in');
  });

  it('goes over TLS alone where the tenant does', async () => {
    const tenant = setting.double.directory.tenants.find((t) => t.tenant_id === 'other')!;
    const before = tenant.base_url;
    tenant.base_url = before.replace('http:', 'https:');
    const own = await Setting.start();
    try {
      const found = own.double.directory.tenants.find((t) => t.tenant_id === 'other')!;
      found.base_url = 'https://other.example';
      const { Tenants } = await import('@libs/auth');
      await own.service.get(Tenants).refresh();
      const browser = own.browser('other');
      await browser.go('GET', '/v3/oauth2/login');
      expect(browser.cookies.get('svc_session')!.text).toMatch(/; Secure$/);
    } finally {
      tenant.base_url = before;
      await own.close();
    }
  });

  it('gets another id when somebody logs in', async () => {
    const browser = await setting.browser().open('/v3/oauth2/login?to=account');
    const before = browser.cookies.get('svc_session')!;
    await browser.submit(ann);
    expect(browser.cookies.get('svc_session')!.value).not.toBe(before.value);
    // the id from before, which somebody else may have planted, is worth nothing
    const planted = setting.browser();
    planted.cookies.set('svc_session', before);
    expect((await planted.open('/v3/oauth2/webapp/account')).title).toBe('Log in');
  });

  it('is of one tenant', async () => {
    const browser = await setting.loggedIn();
    const other = setting.browser('other');
    other.cookies.set('svc_session', browser.cookies.get('svc_session')!);
    expect((await other.open('/v3/oauth2/webapp/account')).title).toBe('Log in');
  });

  it('ends when the person logs out, copies of the cookie too', async () => {
    for (const leave of ['GET', 'POST'] as const) {
      const browser = await setting.loggedIn();
      const copy = setting.browser();
      copy.cookies.set('svc_session', browser.cookies.get('svc_session')!);
      await browser.go(leave, '/v3/oauth2/logout');
      expect(browser.title).toBe('You are logged out');
      expect(browser.cookies.has('svc_session')).toBe(false);
      expect((await copy.open('/v3/oauth2/webapp/account')).title).toBe('Log in');
    }
  });

  it('is in no table as it is in the cookie', async () => {
    const { Database } = await import('@libs/database');
    const browser = await setting.loggedIn();
    const [id] = browser.cookies.get('svc_session')!.value.split('.');
    const rows = await setting.service.get(Database).query('SELECT * FROM browser_session');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(id);
  });
});

describe('the way of a device', () => {
  const start = async () => {
    const { body } = await setting.ask('/device/code', { body: { client_id: 'portal' } });
    return body.result as { device_code: string; user_code: string; verification_uri: string };
  };
  const poll = ({ device_code }: { device_code: string }) =>
    setting.ask('/tokens', {
      body: { grant_type: 'device_code', client_id: 'portal', device_code },
    });

  it('takes the code after a login, asks, and lets the program in', async () => {
    const device = await start();
    const browser = await setting.browser().open(`/v3/oauth2/device?user_code=${device.user_code}`);
    expect(browser.title).toBe('Log in');
    await browser.submit(ann);
    expect(browser.title).toBe('Connect a program');
    expect(browser.forms()[0]!.fields['user_code']).toBe(device.user_code);
    await browser.submit();
    expect(browser.title).toBe('Connect this program?');
    expect((await poll(device)).status).toBe(400);
    await browser.submit({ approve: 'yes', ttl_days: '2' });
    expect(browser.title).toBe('Connected');
  });

  it('gives nothing to a program that was refused', async () => {
    const device = await start();
    const browser = await setting.loggedIn();
    await browser.open('/v3/oauth2/device');
    await browser.submit({ user_code: device.user_code.toLowerCase() });
    await browser.submit({ approve: 'no' });
    expect(browser.title).toBe('Access denied');
    expect((await poll(device)).status).toBe(400);
  });

  it('says that a code is not known', async () => {
    const browser = await (await setting.loggedIn()).open('/v3/oauth2/device');
    await browser.submit({ user_code: 'ZZZZZZZZ' });
    expect(browser.words).toContain('This code is not known');
  });
});
