import { decodeJwt } from 'jose';
import type { PageBrowser } from '@libs/kit';
import { Setting } from './support/setting';

let setting: Setting;
beforeAll(async () => (setting = await Setting.start()));
afterAll(() => setting.close());

const tokenOn = (browser: PageBrowser) =>
  /<textarea[^>]*id="token"[^>]*>([^<]*)</.exec(browser.text)?.[1] ?? '';
const open = async () => {
  const browser = await setting.browser().open('/v3/oauth2/webapp');
  expect(browser.title).toBe('Log in');
  return browser.submit({ username: 'ann', password: 'ann-password' });
};

describe('the token web application', () => {
  it('logs in as its own public client with PKCE and shows the token', async () => {
    const browser = await open();
    expect(browser.at).toBe('/v3/oauth2/webapp');
    expect(browser.title).toBe('Your token');
    const token = tokenOn(browser);
    expect(decodeJwt(token)).toMatchObject({
      'svc/username': 'ann',
      'svc/client_id': 'dev.CIC.tokenapp',
      'svc/grant_type': 'authorization_code',
    });
    for (const text of ['svc/username', 'ann@dev', 'dev.CIC.tokenapp'])
      expect(browser.words).toContain(text);
    expect(browser.words).toMatch(/Time left: (4 hours|3 hours 59)/);
    expect((await setting.as('ann', '/clients')).body.result).toEqual([]);
    // and it goes on showing this one
    await browser.open('/v3/oauth2/webapp');
    expect(tokenOn(browser)).toBe(token);
  });

  it('keeps tokens sealed in the browser, in no address and in no table', async () => {
    const browser = await open();
    const token = tokenOn(browser);
    const [access, refresh] = ['svc_access', 'svc_refresh'].map((n) => browser.cookies.get(n)!);
    for (const { value, text, path } of [access!, refresh!]) {
      expect(text).toMatch(/HttpOnly; SameSite=Lax/);
      expect(path).toBe('/v3/oauth2/webapp');
      expect(value.length).toBeLessThan(4000);
      expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain('eyJ');
      expect(value).not.toContain(token.slice(0, 20));
    }
    const { Database } = await import('@libs/database');
    const database = setting.service.get(Database);
    const tables = await database.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    for (const { name } of tables) {
      const rows = JSON.stringify(await database.query(`SELECT * FROM ${name}`));
      expect(rows).not.toContain(token.split('.')[2]);
    }
  });

  it('refreshes', async () => {
    const browser = await open();
    const before = tokenOn(browser);
    await browser.submit({}, 'webapp/refresh');
    expect(browser.title).toBe('Your token');
    expect(tokenOn(browser)).not.toBe(before);
  });

  it('revokes the token and all that it could be refreshed to', async () => {
    const browser = await open();
    const token = tokenOn(browser);
    await browser.submit({}, 'webapp/revoke');
    expect(browser.title).toBe('The token is revoked');
    expect(setting.revoked).toContain(token);
    expect(setting.revoked.length).toBeGreaterThanOrEqual(2);
    expect(browser.cookies.has('svc_access')).toBe(false);
    await browser.open('/v3/oauth2/webapp');
    expect(tokenOn(browser)).not.toBe(token);
  });

  it('shows nobody what somebody else left in the browser', async () => {
    const browser = await open();
    const token = tokenOn(browser);
    const kept = new Map(browser.cookies);
    await browser.open('/v3/oauth2/logout');
    expect([...browser.cookies.keys()]).toEqual([]);
    // a browser that was closed in between may still have them
    for (const name of ['svc_access', 'svc_refresh']) browser.cookies.set(name, kept.get(name)!);
    await browser.open('/v3/oauth2/webapp');
    await browser.submit({ username: 'bob', password: 'bob-password' });
    expect(decodeJwt(tokenOn(browser))).toMatchObject({ 'svc/username': 'bob' });
    expect(browser.text).not.toContain(token);
  });

  it('logs out and forgets the token', async () => {
    const browser = await open();
    await browser.submit({}, 'webapp/logout');
    expect(browser.title).toBe('You are logged out');
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('takes an answer only for a login that this browser began', async () => {
    const browser = await open();
    for (const query of ['', '?code=x&state=y', '?code=x&state=']) {
      await browser.open(`/v3/oauth2/webapp/callback${query}`);
      expect(browser.status).toBe(400);
    }
  });

  it('sends the browser to the address of the tenant first', async () => {
    const browser = setting.browser();
    const host = browser.host.replace('localhost', '127.0.0.1');
    Object.assign(browser, { host });
    await browser.go('GET', '/v3/oauth2/webapp');
    expect(browser.leadsTo).toBe(`http://${setting.hostOf()}/v3/oauth2/webapp`);
  });

  it('is not there where the tenant has switched it off', async () => {
    await setting.configure({ use_token_webapp: false });
    try {
      const browser = await setting.browser().open('/v3/oauth2/webapp');
      expect(browser.status).toBe(404);
      expect(browser.words).toContain('use_token_webapp');
      await browser.open('/v3/oauth2/login');
      await browser.submit({ username: 'ann', password: 'ann-password' });
      expect(browser.title).toBe('You are logged in');
    } finally {
      await setting.configure({ use_token_webapp: true });
    }
  });
});

describe("the pages of one's clients", () => {
  const CALLBACK = 'https://portal.example/callback';

  it('create, show the key once, change and delete', async () => {
    const browser = await setting.loggedIn();
    await browser.open('/v3/oauth2/webapp/clients');
    expect(browser.words).toContain('You have none');
    await browser.open('/v3/oauth2/webapp/clients/new');
    const values = { display_name: 'My <portal>', callback_url: CALLBACK };
    await browser.submit({ ...values, client_type: 'confidential' }, 'new');
    expect(browser.title).toBe('My <portal> is ready');
    const value = (id: string) =>
      new RegExp(`id="${id}"[^>]*value="([^"]+)"`).exec(browser.text)![1]!;
    const [id, key] = [value('client_id'), value('client_key')];
    const mine = await setting.as('ann', `/clients/${id}`);
    expect(mine.body.result).toMatchObject({ callback_url: CALLBACK, client_type: 'confidential' });
    await browser.open('/v3/oauth2/webapp/clients');
    expect(browser.words).toContain('My <portal>');
    expect(browser.text).not.toContain(key);
    await browser.open(`/v3/oauth2/webapp/clients/${id}`);
    await browser.submit({ description: 'changed', callback_url: '' }, id);
    expect(browser.at).toBe('/v3/oauth2/webapp/clients');
    expect((await setting.as('ann', `/clients/${id}`)).body.result).toMatchObject({
      description: 'changed',
      callback_url: '',
    });
    await browser.open(`/v3/oauth2/webapp/clients/${id}`);
    await browser.submit({ sure: 'yes' }, 'delete');
    expect(browser.words).toContain('You have none');
  });

  it('say what is wrong and keep what was typed', async () => {
    const browser = await setting.loggedIn();
    await browser.open('/v3/oauth2/webapp/clients/new');
    await browser.submit(
      { callback_url: 'nonsense', display_name: 'kept', client_id: 'a b' },
      'new',
    );
    expect(browser.status).toBe(400);
    expect(browser.text).toContain('value="kept"');
    expect(browser.words).toContain('client_id');
  });

  it("show nobody another person's clients", async () => {
    await setting.as('bob', '/clients', { body: { client_id: 'bobs', callback_url: CALLBACK } });
    const browser = await setting.loggedIn();
    expect((await browser.open('/v3/oauth2/webapp/clients')).words).not.toContain('bobs');
    await browser.open('/v3/oauth2/webapp/clients/bobs');
    expect([403, 404]).toContain(browser.status);
    const csrf = (await browser.open('/v3/oauth2/webapp/clients/new')).forms()[0]!.fields['csrf']!;
    await browser.go('POST', '/v3/oauth2/webapp/clients/bobs/delete', { csrf, sure: 'yes' });
    expect([403, 404]).toContain(browser.status);
    expect((await setting.as('bob', '/clients/bobs')).status).toBe(200);
  });
});

describe('the page of the account', () => {
  it('changes the password, which logs other browsers out', async () => {
    const other = await setting.loggedIn('bob');
    const browser = await setting.loggedIn('bob');
    const change = (old_password: string, new_password: string) =>
      browser.submit({ old_password, new_password }, 'password');
    await change('wrong', 'a-new-password');
    expect(browser.words).toContain('The present password is not right.');
    await change('bob-password', 'short');
    expect(browser.words).toContain('at least 8 characters');
    await change('bob-password', 'a-new-password');
    expect(browser.words).toContain('The password is changed.');
    expect((await other.open('/v3/oauth2/webapp/account')).title).toBe('Log in');
    expect((await setting.loggedIn('bob', 'bob-password')).title).toBe('Log in');
    expect((await setting.loggedIn('bob', 'a-new-password')).title).toBe('Second factor');
  });
});
