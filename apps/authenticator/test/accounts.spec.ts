import { Setting } from './support/setting';

let setting: Setting;
beforeAll(async () => (setting = await Setting.start()));
afterAll(() => setting.close());

const carl = { username: 'carl', password: 'carls-password', email: 'carl@example.org' };
const token = (username: string, password: string) =>
  setting.ask('/tokens', { body: { grant_type: 'password', username, password } });
const patch = (username: string, body: object, by = 'admin') =>
  setting.as(by, `/accounts/${username}`, { method: 'PATCH', body });

it('are made, changed and disabled by administrators', async () => {
  const made = await setting.as('admin', '/accounts', { body: carl });
  expect(made.status).toBe(201);
  expect(made.body.result).toMatchObject({
    username: 'carl',
    email: 'carl@example.org',
    given_name: null,
    enabled: true,
    second_factor: false,
  });
  expect(made.text).not.toContain(carl.password);
  expect((await token('carl', carl.password)).status).toBe(200);
  expect((await patch('carl', { given_name: 'Carl', email: null })).body.result).toMatchObject({
    given_name: 'Carl',
    email: null,
  });
  expect((await setting.as('carl', '/userinfo')).body.result).toMatchObject({ given_name: 'Carl' });
  const browser = await setting.loggedIn('carl', carl.password);
  expect((await patch('carl', { enabled: false })).status).toBe(200);
  expect((await token('carl', carl.password)).status).toBe(400);
  expect((await browser.open('/v3/oauth2/webapp/account')).title).toBe('Log in');
  await patch('carl', { enabled: true, password: 'another-password' });
  expect((await token('carl', carl.password)).status).toBe(400);
  expect((await token('carl', 'another-password')).status).toBe(200);
});

it('leave a record of who changed what, without any value', async () => {
  const password = 'a-first-password';
  await setting.as('admin', '/accounts', { body: { username: 'hugo', password } });
  const change = { given_name: 'Hugo', password: 'a-second-password', enabled: false };
  await patch('hugo', change);
  const records = async (query: string) =>
    (await setting.as('admin', `/admin/events?${query}`)).body.result as Record<string, unknown>[];
  const found = await records('username=hugo');
  expect(found.map(({ outcome, details }) => [outcome, details]).reverse()).toEqual([
    ['CREATED', null],
    ['CHANGED', 'given_name'],
    ['PASSWORD_SET', null],
    ['DISABLED', null],
  ]);
  for (const record of found)
    expect(record).toMatchObject({ event: 'account', by: 'admin@dev', address: '127.0.0.1' });
  expect(JSON.stringify(found)).not.toMatch(/a-first|a-second|Hugo/);
  await setting.configure({ use_token_webapp: true, mfa_config: {} });
  expect((await records('limit=1'))[0]).toMatchObject({
    event: 'config',
    outcome: 'CHANGED',
    by: 'admin@dev',
    details: 'mfa_config use_token_webapp',
  });
});

it('are kept by administrators alone, and each person sees the own one', async () => {
  await setting.as('admin', '/accounts', { body: { ...carl, username: 'dora' } });
  expect((await setting.as('ann', '/accounts')).status).toBe(403);
  expect((await setting.as('ann', '/accounts', { body: carl })).status).toBe(403);
  expect((await patch('ann', { given_name: 'x' }, 'ann')).status).toBe(403);
  expect((await setting.as('ann', '/accounts/dora')).status).toBe(404);
  expect((await setting.as('ann', '/accounts/ann')).body.result).toMatchObject({ username: 'ann' });
  expect((await setting.as('admin', '/accounts/ann')).status).toBe(200);
  expect((await setting.as('admin', '/accounts/nobody')).status).toBe(404);
  expect((await patch('nobody', { enabled: false })).status).toBe(404);
});

it('are listed page by page', async () => {
  const names = async (query: string) => {
    const { body } = await setting.as('admin', `/accounts${query}`);
    return (body.result as { username: string }[]).map((a) => a.username);
  };
  const all = await names('');
  expect(all).toEqual([...all].sort());
  expect([...(await names('?limit=2')), ...(await names('?limit=100&offset=2'))]).toEqual(all);
});

it('have names and passwords that will do', async () => {
  const refused = async (body: object) => {
    const answer = await setting.as('admin', '/accounts', { body: { ...carl, ...body } });
    expect(answer.status).toBe(400);
    return answer.body.message as string;
  };
  expect(await refused({ username: 'eve', password: 'short' })).toContain('password');
  expect(await refused({ username: 'evelyn-x', password: 'Evelyn-X' })).toContain('password');
  expect(await refused({ username: 'eve', password: 'aaaaaaaaaa' })).toContain('password');
  for (const username of ['', 'a b', '-a', 'a:b', 'a/b', 'x'.repeat(59)])
    expect(await refused({ username })).toContain('username');
  expect(await refused({ username: 'eve', email: 'nobody', more: 1 })).toMatch(
    /email.*more|more.*email/,
  );
  const taken = await setting.as('admin', '/accounts', { body: { ...carl, username: 'ann' } });
  expect(taken.status).toBe(409);
  expect((await setting.as('admin', '/accounts/ann')).body.result.email).toBeNull();
});

it('have a password that the person changes, knowing the old one', async () => {
  await setting.as('admin', '/accounts', { body: { ...carl, username: 'finn' } });
  const change = (old_password: string, new_password: string, by = 'finn') =>
    setting.as(by, '/accounts/finn/password', {
      method: 'PUT',
      body: { old_password, new_password },
    });
  expect((await change('wrong', 'a-new-password')).status).toBe(400);
  expect((await change(carl.password, 'a-new-password', 'ann')).status).toBe(403);
  expect((await change(carl.password, 'short')).status).toBe(400);
  expect((await change(carl.password, 'a-new-password')).status).toBe(200);
  expect((await token('finn', 'a-new-password')).status).toBe(200);
  expect((await token('finn', carl.password)).status).toBe(400);
});

it('are of one tenant', async () => {
  await setting.as('admin', '/accounts', { body: { ...carl, username: 'gina' } });
  setting.double.security.makeAdmin('other', 'boss');
  const headers = setting.double.as('boss', 'other');
  expect((await setting.ask('/accounts/gina', { headers }, 'other')).status).toBe(404);
  const { body } = await setting.ask('/accounts', { headers }, 'other');
  expect((body.result as { username: string }[]).map((a) => a.username)).toEqual(['ann']);
});
