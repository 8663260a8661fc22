import { Database } from '@libs/database';
import { until } from '@libs/kit';
import { Secret, TOTP } from 'otpauth';
import type { PageBrowser } from '@libs/kit';
import { Setting } from './support/setting';

const PEOPLE = Array.from({ length: 20 }, (_, i) => `person${i}`);
let setting: Setting;
/** Somebody whom no other test knows. */
let name: string;
beforeAll(async () => {
  const limits = { LOGIN_FAILURES: '4', ADDRESS_FAILURES: '1000' };
  setting = await Setting.start(limits, PEOPLE);
});
afterAll(() => setting.close());
beforeEach(async () => {
  name = PEOPLE.pop()!;
  await setting.configure({ mfa_config: {} });
});

const STEP = 30_000;
const codeOf = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
const secretOn = (page: PageBrowser) => {
  const [, text] = /id="secret"[^>]*>([^<]+)</.exec(page.text)!;
  return text!.replace(/\s/g, '');
};
const codesOn = (page: PageBrowser) =>
  [...page.text.matchAll(/<li>([\w-]{19})<\/li>/g)].map((m) => m[1]!);

const secrets = () => [...setting.double.security.secrets.values()].map((s) => s['secret']);

/** A second factor set up of one's own will; its first code is used up. */
async function enrol() {
  // codes are made for this step and the one before: neither may pass by meanwhile
  await until(() => Date.now() % STEP < STEP - 5_000, STEP, 100);
  const browser = await setting.loggedIn(name);
  await browser.open('/v3/oauth2/webapp/account/factor');
  const secret = secretOn(browser);
  await browser.submit({ code: codeOf(secret, Date.now() - STEP) }, 'factor');
  return { browser, secret, codes: codesOn(browser) };
}
const logIn = async (code?: string) => {
  const browser = await setting.loggedIn(name);
  return code === undefined ? browser : browser.submit({ code });
};

it('is asked for once it is set up, and lets in with a code of the app', async () => {
  const { secret, codes } = await enrol();
  expect(codes).toHaveLength(10);
  const browser = await logIn();
  expect(browser.title).toBe('One-time code');
  // the password alone opens nothing
  for (const page of ['webapp/account', 'webapp/clients', 'device', 'done']) {
    await browser.open(`/v3/oauth2/${page}`);
    expect(browser.at).toMatch(/^\/v3\/oauth2\/mfa/);
  }
  await browser.open('/v3/oauth2/mfa?to=account');
  await browser.submit({ code: '000000' });
  expect(browser.words).toContain('This code is not right');
  const before = browser.cookies.get('svc_session')!.value;
  await browser.submit({ code: codeOf(secret) });
  expect(browser.words).toContain('It is on');
  expect(browser.cookies.get('svc_session')!.value).not.toBe(before);
});

it('takes a code once', async () => {
  const { secret } = await enrol();
  // the step of the code that confirmed the enrolment is used up, and all before it
  expect((await logIn(codeOf(secret, Date.now() - STEP))).title).toBe('One-time code');
  const code = codeOf(secret);
  expect((await logIn(code)).title).not.toBe('One-time code');
  expect((await logIn(code)).title).toBe('One-time code');
});

it('takes the same code sent twice at once for one login alone', async () => {
  const { secret } = await enrol();
  const browsers = [await logIn(), await logIn()];
  const code = codeOf(secret);
  await Promise.all(browsers.map((browser) => browser.submit({ code })));
  const titles = browsers.map((browser) => browser.title).sort();
  expect(titles.filter((title) => title === 'One-time code')).toHaveLength(1);
});

it('takes each recovery code once, however it is typed', async () => {
  const { codes } = await enrol();
  const [first, second] = codes as [string, string];
  expect((await logIn(first)).title).not.toBe('One-time code');
  expect((await logIn(first)).title).toBe('One-time code');
  const typed = second.toUpperCase().replaceAll('-', ' ');
  const browser = await logIn(typed);
  expect(browser.words).toContain('Recovery codes left: 8');
});

it('can be renewed and removed by who has it, and not without a code', async () => {
  const kept = secrets().length;
  const { browser, codes, secret } = await enrol();
  const change = (code: string, what: string) =>
    browser
      .open('/v3/oauth2/webapp/account')
      .then(() => browser.submit({ code, what }, 'factor/change'));
  expect((await change('000000', 'remove')).words).toContain('This code is not right');
  await change(codes[0]!, 'codes');
  const fresh = codesOn(browser);
  expect(fresh).toHaveLength(10);
  expect((await change(codes[1]!, 'remove')).words).toContain('This code is not right');
  expect((await change(codeOf(secret), 'remove')).words).toContain('is removed');
  const [last] = (await setting.as('admin', '/admin/events?limit=1')).body.result;
  expect(last).toMatchObject({ event: 'account', outcome: 'SECOND_FACTOR_REMOVED' });
  expect(last.by).toBe(`${last.username}@dev`);
  expect((await logIn()).title).toBe('Second factor');
  expect(secrets().length).toBe(kept);
});

it('must be set up where the tenant asks for it', async () => {
  await setting.configure({ mfa_config: { totp: { required: true } } });
  const browser = await logIn();
  expect(browser.title).toBe('Set up a second factor');
  const secret = secretOn(browser);
  // the same secret while it is not confirmed: another page must not spoil what the telephone has
  expect(secretOn(await logIn())).toBe(secret);
  await browser.submit({ code: '000000' });
  expect(browser.words).toContain('This code is not right');
  await browser.submit({ code: codeOf(secret, Date.now() - STEP) });
  expect(codesOn(browser)).toHaveLength(10);
  await browser.open('/v3/oauth2/webapp/account');
  expect(browser.words).toContain('can’t be removed');
  const change = { code: codeOf(secret), what: 'remove' };
  await browser.submit(change, 'factor/change');
  expect((await logIn()).title).toBe('One-time code');
  // programs that send a password are not asked (contract, 6.7)
  const password = { grant_type: 'password', username: name, password: `${name}-password` };
  expect((await setting.ask('/tokens', { body: password })).status).toBe(200);
});

it('is locked after too many wrong codes, and a right password does not open it again', async () => {
  const { secret } = await enrol();
  for (let i = 0; i < 4; i++) expect((await logIn('000000')).status).toBe(200);
  const browser = await logIn(codeOf(secret));
  expect(browser.status).toBe(429);
  expect(Number(browser.header('retry-after'))).toBeGreaterThan(0);
});

it('is remembered by the browser for as long as the tenant says', async () => {
  const rules = (expiry_frequency: number) =>
    setting.configure({ mfa_config: { totp: { expire: true, expiry_frequency } } });
  await rules(3600);
  const { secret } = await enrol();
  const browser = await logIn(codeOf(secret));
  await browser.open('/v3/oauth2/logout');
  const again = async (known: PageBrowser) => {
    await known.open('/v3/oauth2/login?to=account');
    return (await known.submit({ username: name, password: `${name}-password` })).title;
  };
  expect(await again(browser)).toBe('Second factor');
  // nor does it help somebody else, or another browser
  expect(await again(setting.browser())).toBe('One-time code');
  await browser.open('/v3/oauth2/logout');
  await rules(0);
  await until(async () => (await again(browser)) === 'One-time code');
});

it('keeps its secret in the security kernel and only hashes of the recovery codes', async () => {
  const { secret, codes } = await enrol();
  expect(secrets()).toContain(secret);
  const database = setting.service.get(Database);
  for (const table of ['totp', 'recovery_code', 'browser_session', 'auth_event'])
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      const rows = await database.query(`SELECT * FROM ${table}`);
      expect(JSON.stringify(rows)).not.toContain(text);
    }
});

it('is taken away by an administrator for who has lost everything', async () => {
  await enrol();
  const remove = (user: string) =>
    setting.as(user, `/accounts/${name}/second_factor`, { method: 'DELETE' });
  expect((await remove('bob')).status).toBe(403);
  expect((await remove('admin')).status).toBe(200);
  expect((await remove('admin')).status).toBe(404);
  expect((await logIn()).title).toBe('Second factor');
});
