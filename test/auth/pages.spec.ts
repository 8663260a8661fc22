import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PlatformProcess } from '@libs/flows';
import { chromiumMissing, picture, startChromium, stumbles, until } from '@libs/kit';
import { end } from '../fixtures/end';

const missing = chromiumMissing();
(missing ? describe.skip : describe)(`the pages in a browser ${missing ?? ''}`, () => {
  let platform: PlatformProcess;
  let chromium: Browser;
  let portal: Server;
  let portalUrl: string;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    platform = await PlatformProcess.start();
    chromium = await startChromium();
    portal = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<title>Portal</title>The portal');
    }).listen(0, '127.0.0.1');
    await new Promise((done) => portal.once('listening', done));
    portalUrl = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await chromium?.close();
    portal?.close();
    await end(platform);
  });

  const fresh = async (options: object = {}) => {
    context = await chromium.newContext(options);
    page = await context.newPage();
    // anything the browser refuses to do for us, such as what our own policy forbids
    complaints = [];
    page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    return page;
  };
  beforeEach(async () => void (await fresh()));
  afterEach(async () => {
    await context.close();
    // a page that answers 4xx is an error to the console, and no complaint about the page
    expect(complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
  });

  const url = (path: string) => `${platform.baseUrl()}/v3/oauth2/${path}`;
  const heading = () => page.locator('h1').first().innerText();
  const logIn = async (user: string, path = 'login?to=account') => {
    await page.goto(url(path));
    await page.getByLabel('User name').fill(user);
    await page.getByLabel('Password').fill(user);
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  const looksGood = async (name: string) => {
    await picture(page, name);
    expect(await stumbles(page)).toEqual([]);
  };
  const client = async (id: string, user = 'testuser1') => {
    const owner = await platform.as(user);
    const body = {
      client_id: id,
      client_key: 'portal-key',
      callback_url: `${portalUrl}/callback`,
      display_name: 'Materials portal',
      description: 'Runs simulations of crystals for you',
    };
    return owner.ask('POST', '/v3/oauth2/clients', body);
  };
  const authorize = (id: string, more: Record<string, string> = {}) =>
    `authorize?${new URLSearchParams({
      client_id: id,
      redirect_uri: `${portalUrl}/callback`,
      response_type: 'code',
      state: 'some&state',
      ...more,
    })}`;

  it('let a person log in by the keyboard alone', async () => {
    await page.goto(url('login'));
    await looksGood('login');
    await page.keyboard.type('testuser1');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Invalid username/password');
    await looksGood('login-wrong');
    // what is left to type has the focus
    await page.keyboard.type('testuser1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/webapp$/);
    expect(await heading()).toBe('Your token');
  });

  it('show the token, its time left, and give it away by a button', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await logIn('testuser2', 'webapp');
    await page.waitForURL(/webapp$/);
    await looksGood('token');
    const token = await page.getByLabel('Access token').inputValue();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
    const left = () => page.locator('#life').evaluate((bar: { value: number }) => bar.value);
    const before = await left();
    await until(async () => (await left()) < before);
    const calls = (using: string) =>
      platform.anonymous().with({ token: using }).call('GET', '/v3/systems');
    expect((await calls(token)).status).toBe(200);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.waitForLoadState();
    const second = await page.getByLabel('Access token').inputValue();
    expect(second).not.toBe(token);
    expect((await calls(second)).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'The token is revoked' }).waitFor();
    await looksGood('token-revoked');
    expect((await calls(second)).status).toBe(401);
    await page.getByRole('link', { name: 'Get a new token' }).click();
    const third = await page.getByLabel('Access token').inputValue();
    expect((await calls(third)).status).toBe(200);
  });

  it('work without JavaScript', async () => {
    await context.close();
    await fresh({ javaScriptEnabled: false });
    await logIn('testuser3', 'webapp');
    expect(await heading()).toBe('Your token');
    const token = await page.getByLabel('Access token').inputValue();
    await page.getByRole('button', { name: 'Refresh' }).click();
    expect(await page.getByLabel('Access token').inputValue()).not.toBe(token);
    // what would not work is not there
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Log out' }).click();
    expect(await heading()).toBe('You are logged out');
  });

  it('ask for consent and lead back to a client at another site', async () => {
    await client('portal');
    await logIn('testuser2', authorize('portal'));
    expect(await heading()).toBe('Allow access?');
    await looksGood('consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${portalUrl}/**`);
    const back = new URL(page.url());
    expect(back.searchParams.get('state')).toBe('some&state');
    const answer = await platform.anonymous().call('POST', '/v3/oauth2/tokens', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code: back.searchParams.get('code'),
        redirect_uri: `${portalUrl}/callback`,
        client_id: 'portal',
        client_key: 'portal-key',
      }),
    });
    expect(answer.status).toBe(200);
    // allowed for good: the login page itself leads there at the next time
    await page.goto(url(authorize('portal')));
    await page.getByLabel(/Always allow/).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${portalUrl}/**`);
    await context.clearCookies();
    await logIn('testuser2', authorize('portal'));
    await page.waitForURL(`${portalUrl}/callback?code=**`);
  });

  it('give the implicit token in the fragment', async () => {
    await client('implicit');
    await logIn('testuser2', authorize('implicit', { response_type: 'token' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${portalUrl}/callback#access_token=**`);
    expect(new URL(page.url()).search).toBe('');
  });

  it('say no, and what is wrong, on pages of their own', async () => {
    await client('refused');
    await logIn('testuser2', authorize('refused'));
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Access denied' }).waitFor();
    await looksGood('denied');
    await page.goto(url(authorize('refused', { redirect_uri: 'https://evil.example/' })));
    expect(await heading()).toBe('This can’t be done');
    await looksGood('error');
  });

  it('connect a program on another machine', async () => {
    await client('cli');
    const device = await platform
      .anonymous()
      .ask('POST', '/v3/oauth2/device/code', { client_id: 'cli' });
    await logIn('testuser2', 'device');
    await looksGood('device');
    await page.getByLabel('Code').fill(device.user_code);
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await heading()).toBe('Connect this program?');
    await looksGood('device-consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(await heading()).toBe('Connected');
    const { device_code } = device;
    const token = await platform.anonymous().ask('POST', '/v3/oauth2/tokens', {
      grant_type: 'device_code',
      client_id: 'cli',
      device_code,
    });
    expect(token.access_token.expires_in).toBeGreaterThan(25 * 86_400);
  });

  it("keep one's clients", async () => {
    await logIn('testuser4', 'webapp/clients');
    expect(await heading()).toBe('Your clients');
    await looksGood('clients-none');
    await page.getByRole('link', { name: 'New client' }).click();
    await page.getByLabel('Name').fill('My notebook');
    await page.getByLabel('Callback URL').fill('nonsense');
    await looksGood('client-new');
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('callback_url');
    await page.getByLabel('Callback URL').fill(`${portalUrl}/callback`);
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await heading()).toBe('My notebook is ready');
    await looksGood('client-created');
    await page.getByRole('link', { name: 'Done' }).click();
    await looksGood('clients');
    await page.getByRole('link', { name: 'Change My notebook' }).click();
    await page.getByLabel('Description').fill('For the course');
    await looksGood('client');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Change My notebook' }).click();
    expect(await page.getByLabel('Description').inputValue()).toBe('For the course');
    await page.getByLabel(/Yes, delete it/).check();
    await page.getByRole('button', { name: 'Delete this client' }).click();
    await page.getByText('You have none').waitFor();
  });

  it('set up a second factor and ask for it', async () => {
    await logIn('testuser5');
    await looksGood('account');
    await page.getByRole('link', { name: 'Set one up' }).click();
    await looksGood('factor-set-up');
    const secret = (await page.locator('#secret').innerText()).replace(/\s/g, '');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const used = totp.generate();
    await page.getByLabel('Code that the app shows').fill(used);
    await page.getByRole('button', { name: 'Confirm' }).click();
    expect(await heading()).toBe('Your recovery codes');
    await looksGood('recovery-codes');
    const [code] = await page.locator('#codes li').allInnerTexts();
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await looksGood('account-with-factor');
    await page.getByRole('button', { name: 'Log out' }).click();
    await looksGood('logged-out');
    await logIn('testuser5');
    expect(await heading()).toBe('One-time code');
    await looksGood('one-time-code');
    await page.keyboard.type(used);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await looksGood('one-time-code-wrong');
    await page.keyboard.type(code!);
    await page.keyboard.press('Enter');
    await page.waitForURL(/account$/);
  });

  it('let the person choose a tenant', async () => {
    await page.goto(url('tenant'));
    await looksGood('tenants');
    await page.getByRole('link', { name: 'dev' }).click();
    expect(await heading()).toBe('Log in');
  });

  it('show themselves in no frame of another site', async () => {
    await page.goto(portalUrl);
    await page.setContent(`<iframe src="${url('login')}"></iframe>`);
    const frame = page.frames()[1]!;
    await frame.waitForLoadState().catch(() => undefined);
    expect(await frame.getByLabel('Password').count()).toBe(0);
    complaints = complaints.filter((text) => !/frame/i.test(text));
  });
});
