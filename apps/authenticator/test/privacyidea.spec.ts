import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Setting } from './support/setting';

const KEY = 'the key of the platform there';
let setting: Setting;
let server: Server;
let url: string;
/** What the server was asked, and whether it is well. */
let asked: Record<string, string>[];
let isWell: boolean;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Answers as the REST API of privacyIDEA says: one code is right, for one person of one realm. */
async function answer(request: IncomingMessage): Promise<[number, object]> {
  const form = Object.fromEntries(new URLSearchParams(await textOf(request)));
  asked.push({ path: request.url!, ...form });
  const result = (value: unknown) => ({ jsonrpc: '2.0', result: { status: true, value } });
  if (!isWell) return [500, { result: { status: false, error: { code: -500 } } }];
  if (request.url === '/pi/auth') {
    const good = form['username'] === 'platform' && form['password'] === KEY;
    return good
      ? [200, result({ token: 'a-token' })]
      : [401, { result: { status: false, error: { code: 4031 } } }];
  }
  if (request.headers.authorization !== 'a-token') return [401, { result: { status: false } }];
  const { user, realm, pass } = form;
  if (user !== 'ann') return [400, { result: { status: false, error: { code: 904 } } }];
  return [200, result(realm === 'campus' && pass === 'Pin 123456')];
}

beforeAll(async () => {
  setting = await Setting.start({ LOGIN_FAILURES: '4' });
  server = createServer((request, response) => {
    void answer(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  }).listen(0, 'localhost');
  await new Promise((done) => server.once('listening', done));
  url = `http://localhost:${(server.address() as AddressInfo).port}/pi/`;
});
afterAll(async () => {
  server.close();
  await setting.close();
});
beforeEach(() => {
  asked = [];
  isWell = true;
});

const configure = (more: object = {}) =>
  setting.configure({
    mfa_config: {
      privacyidea: {
        privacy_idea_url: url,
        privacy_idea_client_id: 'platform',
        privacy_idea_client_key: KEY,
        realm: 'campus',
        ...more,
      },
    },
  });

it('is asked about the code of everybody, as it was typed', async () => {
  await configure();
  const browser = await setting.loggedIn('ann');
  expect(browser.title).toBe('One-time code');
  expect(browser.words).not.toContain('recovery');
  await browser.submit({ code: '123456' });
  expect(browser.words).toContain('This code is not right');
  await browser.submit({ code: ' Pin 123456 ' });
  expect(browser.title).toBe('Second factor');
  expect(browser.words).toContain('a server of its own');
  expect(asked.at(-1)).toEqual({
    path: '/pi/validate/check',
    user: 'ann',
    realm: 'campus',
    pass: 'Pin 123456',
  });
  const [last, before] = (await setting.as('admin', '/admin/events?username=ann')).body.result;
  expect([last.outcome, before.event, before.outcome]).toEqual([
    'LOGGED_IN',
    'second_factor',
    'PASSED',
  ]);
});

it('keeps its key where nobody reads it', async () => {
  await configure();
  const { text } = await setting.as('admin', '/admin/config');
  expect(text).not.toContain(KEY);
  expect(text).toContain('campus');
});

it('lets nobody in whom it does not know, and locks guesses', async () => {
  await configure();
  const browser = await setting.loggedIn('bob');
  for (let i = 0; i < 4; i++) {
    await browser.submit({ code: 'x' });
    expect(browser.words).toContain('This code is not right');
  }
  expect((await browser.submit({ code: 'x' })).status).toBe(429);
});

it('is not asked again by a browser for as long as the tenant says', async () => {
  await configure({ expire: true, expiry_frequency: 600 });
  const browser = await setting.loggedIn('ann');
  await browser.submit({ code: 'Pin 123456' });
  await browser.open('/v3/oauth2/logout');
  await browser.open('/v3/oauth2/login?to=account');
  await browser.submit({ username: 'ann', password: 'ann-password' });
  expect(browser.title).toBe('Second factor');
});

it('that fails lets nobody in, and says whose fault it is', async () => {
  await configure();
  isWell = false;
  const browser = await setting.loggedIn('ann');
  await browser.submit({ code: 'Pin 123456' });
  expect([browser.status, browser.words]).toEqual([502, expect.stringContaining('one-time codes')]);
  isWell = true;
  await configure({ privacy_idea_client_key: 'another' });
  const again = await setting.loggedIn('ann');
  await again.submit({ code: 'Pin 123456' });
  expect([again.status, again.words]).toEqual([502, expect.stringContaining('client_key')]);
});
