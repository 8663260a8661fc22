import { generateKeyPairSync } from 'node:crypto';
import { userInfo } from 'node:os';
import { sshd, type Sshd } from '@libs/kit';
import { linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

const credential = (id: string, user: string) => `/credential/${id}/user/${user}`;
const dynamic = { effectiveUserId: '${apiUserId}' };
const status = async (method: string, path: string, body?: unknown, user = 'testuser1') =>
  (await service.send(method, path, body, service.as(user))).status;
const asJobs = async (path: string, user = 'testuser1') =>
  (await service.send('GET', path, undefined, service.asService('jobs', user))).body.result;

it('is registered after a login as the mapped user, and read by services only', async () => {
  await service.made(service.onHost('dyn', dynamic));
  const body = { ...service.keys, loginUser: service.host.user };
  const answer = await service.send('POST', credential('dyn', 'testuser1'), body);
  expect([answer.status, answer.body.result]).toEqual([200, null]);
  expect(await service.result('/dyn')).toMatchObject({
    hasCredentials: true,
    effectiveUserId: service.host.user,
    isDynamicEffectiveUser: true,
    authnCredential: null,
    hostKeys: [service.host.hostKey],
  });
  expect(await status('GET', credential('dyn', 'testuser1'))).toBe(403);
  expect(await status('GET', credential('dyn', 'testuser1'), undefined, 'boss')).toBe(403);
  const expected = {
    authnMethod: 'PKI_KEYS',
    loginUser: service.host.user,
    publicKey: service.keys.publicKey,
    privateKey: service.keys.privateKey,
  };
  expect(await asJobs(credential('dyn', 'testuser1'))).toEqual(expected);
  expect((await asJobs('/dyn?returnCredentials=true')).authnCredential).toEqual(expected);
  expect(
    (await asJobs('/dyn?returnCredentials=true&authnMethod=PASSWORD')).authnCredential,
  ).toBeNull();
  const bad = await service.send(
    'GET',
    '/dyn?returnCredentials=true&authnMethod=X',
    undefined,
    service.asService('jobs'),
  );
  expect(bad.status).toBe(400);
});

it('belongs to the user: another one has none', async () => {
  service.double.security.grant('dev', 'testuser2', 'system:dev:READ:dyn');
  expect(await service.result('/dyn', 'testuser2')).toMatchObject({
    hasCredentials: false,
    effectiveUserId: 'testuser2',
  });
  expect((await asJobs('/dyn?returnCredentials=true', 'testuser2')).authnCredential).toBeNull();
  const read = await service.send(
    'GET',
    credential('dyn', 'testuser2'),
    undefined,
    service.asService('jobs', 'testuser2'),
  );
  expect(read.status).toBe(404);
});

it('keeps methods that a later request does not name, and replaces those it does', async () => {
  const path = credential('dyn', 'testuser1');
  await service.send('POST', `${path}?skipCredentialCheck=true`, { password: 'first' });
  await service.send('POST', `${path}?skipCredentialCheck=true`, { password: 'second' });
  expect(await asJobs(`${path}?authnMethod=PASSWORD`)).toEqual({
    authnMethod: 'PASSWORD',
    loginUser: service.host.user,
    password: 'second',
  });
  expect((await asJobs(path)).privateKey).toBe(service.keys.privateKey);
});

it('is tried for real by check', async () => {
  expect(await status('POST', `${credential('dyn', 'testuser1')}/check`)).toBe(200);
  const wrong = await service.send(
    'POST',
    `${credential('dyn', 'testuser1')}/check?authnMethod=PASSWORD`,
  );
  expect([wrong.status, wrong.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSAPI_CRED_VALID_FAIL /),
  ]);
  expect(await status('POST', `${credential('dyn', 'testuser2')}/check`)).toBe(404);
});

it('is not stored when the host refuses it or cannot be reached', async () => {
  const other = await sshd();
  const refused = await service.send('POST', credential('dyn', 'testuser2'), {
    publicKey: other.publicKey,
    privateKey: other.privateKey,
    loginUser: service.host.user,
  }, service.as('testuser2')); // prettier-ignore
  await other.close();
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSAPI_CRED_VALID_FAIL /),
  ]);
  await service.made(service.onHost('away', { port: 1 }));
  const away = await service.send('POST', credential('away', service.host.user), service.keys);
  expect([away.status, away.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSAPI_CRED_CONN_FAIL /),
  ]);
  expect((await service.result('/away')).hasCredentials).toBe(false);
  expect((await service.result('/dyn', 'testuser2')).hasCredentials).toBe(false);
});

it.each<[string, object]>([
  ['half a pair', { publicKey: 'x' }],
  ['an unknown field', { password: 'x', secret: 'y' }],
  ['a wrong type', { password: 5 }],
  ['nothing', {}],
  ['something too long', { password: 'x'.repeat(5000) }],
])('refuses %s', async (_, body) => {
  expect(await status('POST', credential('dyn', 'testuser1'), body)).toBe(400);
});

it('of a static system is named by the login and has no mapping', async () => {
  await service.made(service.onHost('fixed'));
  const { user } = service.host;
  const mapped = await service.send('POST', credential('fixed', user), {
    ...service.keys,
    loginUser: 'x',
  });
  expect([mapped.status, mapped.body.message]).toEqual([400, expect.stringContaining('loginUser')]);
  expect(await status('POST', credential('fixed', user), service.keys)).toBe(200);
  service.double.security.grant('dev', 'testuser3', 'system:dev:READ:fixed');
  const seen = await asJobs('/fixed?returnCredentials=true', 'testuser3');
  expect(seen.authnCredential).toMatchObject({ loginUser: user, authnMethod: 'PKI_KEYS' });
  expect(seen.effectiveUserId).toBe(user);
});

it('is managed by the owner, administrators, and the named user who may see the system', async () => {
  const path = `${credential('dyn', 'testuser4')}?skipCredentialCheck=true`;
  const body = { password: 'x' };
  expect(await status('POST', path, body, 'testuser4')).toBe(404);
  service.double.security.grant('dev', 'testuser4', 'system:dev:READ:dyn');
  expect(await status('POST', path, body, 'testuser4')).toBe(200);
  expect(await status('POST', path, body, 'boss')).toBe(200);
  expect(await status('POST', path, body)).toBe(200);
  expect(await status('POST', path, body, 'testuser2')).toBe(403);
  expect(await status('POST', path, body, 'stranger')).toBe(404);
  expect(await status('DELETE', credential('dyn', 'testuser4'), undefined, 'testuser2')).toBe(403);
});

it('goes with all its methods and the mapping, as often as one likes', async () => {
  const path = credential('dyn', 'testuser1');
  const before = service.double.security.secrets.size;
  expect(await status('DELETE', path)).toBe(200);
  expect(await status('DELETE', path)).toBe(200);
  expect(service.double.security.secrets.size).toBe(before - 2);
  expect(await service.result('/dyn')).toMatchObject({
    hasCredentials: false,
    effectiveUserId: 'testuser1',
  });
  const history = JSON.stringify(await service.result('/dyn/history'));
  expect(history).not.toContain('PRIVATE');
  expect(history).not.toContain('second');
});

describe('SSH keys', () => {
  const user = userInfo().username;
  const path = () => credential('keyed', user);
  const pkcs8 = (passphrase?: string) => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const locked = passphrase ? { cipher: 'aes-256-cbc', passphrase } : {};
    const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem', ...locked });
    return { publicKey: 'ssh-rsa', privateKey: privateKey.toString(), pair };
  };
  beforeAll(() => service.made(service.onHost('keyed')));

  it('may be PEM: the login is made with what the library can read', async () => {
    const { publicKey, privateKey, pair } = pkcs8();
    const { n, e } = pair.publicKey.export({ format: 'jwk' }) as { n: string; e: string };
    service.host.authorize(opensshRsa(n, e));
    const flat = privateKey.replaceAll('\n', '\\n');
    const answer = await service.send('POST', path(), { publicKey, privateKey: flat });
    expect([answer.status, answer.body.message]).toEqual([200, expect.any(String)]);
    expect((await asJobs('/keyed?returnCredentials=true')).authnCredential.privateKey).toContain(
      'BEGIN RSA PRIVATE KEY',
    );
  });

  it('may have no passphrase, tried or not', async () => {
    const { publicKey, privateKey } = pkcs8('secret');
    for (const query of ['', '?skipCredentialCheck=true']) {
      const { status, body } = await service.send('POST', `${path()}${query}`, {
        publicKey,
        privateKey,
      });
      expect([status, body.message]).toEqual([
        400,
        expect.stringMatching(/^SYSAPI_CRED_VALID_FAIL .*passphrase/),
      ]);
    }
  });
});

it('a password logs in, a wrong one does not', async () => {
  if (process.getuid?.() !== 0) return console.warn('skipped: accounts can be made by root only');
  const host = await sshd({ passwordAccount: true });
  const { user, password } = host.account!;
  const body = (secret: string) =>
    linux('by-password', {
      host: host.host,
      port: host.port,
      effectiveUserId: user,
      defaultAuthnMethod: 'PASSWORD',
      authnCredential: { password: secret },
    });
  const wrong = await service.send('POST', '', body('wrong'));
  const right = await service.send('POST', '', body(password));
  await host.close();
  expect([wrong.status, wrong.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSAPI_CRED_VALID_FAIL /),
  ]);
  expect([right.status, right.body.message]).toEqual([201, expect.any(String)]);
});

it('a mapping alone is tried with what is registered, and replaces the old one', async () => {
  await service.made(service.onHost('mapped', dynamic));
  const path = credential('mapped', 'testuser1');
  await service.send('POST', path, { ...service.keys, loginUser: service.host.user });
  const wrong = await service.send('POST', path, { loginUser: 'nobody-here' });
  expect([wrong.status, wrong.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSAPI_CRED_VALID_FAIL /),
  ]);
  expect((await service.result('/mapped')).effectiveUserId).toBe(service.host.user);
  await service.send('POST', `${path}?skipCredentialCheck=true`, { loginUser: 'other' });
  expect((await service.result('/mapped')).effectiveUserId).toBe('other');
  // the user's own name is no mapping
  await service.send('POST', `${path}?skipCredentialCheck=true`, { loginUser: 'testuser1' });
  expect((await service.result('/mapped')).effectiveUserId).toBe('testuser1');
});

it('is in the history without any secret', async () => {
  await service.made(service.onHost('told', dynamic));
  const path = credential('told', 'testuser1');
  const body = { password: 'hush', accessKey: 'key', accessSecret: 'hush', loginUser: 'login' };
  await service.send('POST', `${path}?skipCredentialCheck=true`, body);
  await service.send('DELETE', path);
  const [, set, gone] = await service.result('/told/history');
  const whose = { System: 'told', TargetUser: 'testuser1' };
  expect(set).toMatchObject({ operation: 'setCred', oboUser: 'testuser1', oboTenant: 'dev' });
  expect(set.description).toEqual({
    ...whose,
    skipCredentialCheck: true,
    loginUser: 'login',
    password: '***',
    accessKey: '***',
    accessSecret: '***',
  });
  expect(gone).toMatchObject({ operation: 'removeCred', description: whose });
});

it('of a static system may be registered for the login it will have', async () => {
  await service.made(service.onHost('later', { effectiveUserId: 'old-login' }));
  const { user } = service.host;
  expect(await status('POST', credential('later', user), service.keys)).toBe(200);
  expect((await service.result('/later')).hasCredentials).toBe(false);
  expect((await asJobs(credential('later', user))).loginUser).toBe(user);
  await service.send('PATCH', '/later', { effectiveUserId: user });
  expect((await service.result('/later')).hasCredentials).toBe(true);
});

describe('the key of a host', () => {
  let host: Sshd;
  beforeAll(async () => {
    host = await sshd();
  });
  afterAll(() => host.close());

  it('that changed is a refusal that says so, until the owner forgets the old one', async () => {
    const { host: name, port, user, publicKey, privateKey } = host;
    const authnCredential = { publicKey, privateKey };
    const body = linux('rekeyed', { host: name, port, effectiveUserId: user, authnCredential });
    await service.made(body);
    const old = host.hostKey;
    await host.stop();
    host.newHostKey();
    await host.start();
    const check = await service.send('POST', `${credential('rekeyed', user)}/check`);
    expect(check.status).toBe(400);
    expect(check.body.message).toMatch(/^HOST_KEY_CHANGED /);
    expect(check.body.message).toContain(old);
    expect(check.body.message).toContain(host.hostKey);
    expect(await status('DELETE', '/rekeyed/hostKey')).toBe(200);
    expect(await status('POST', `${credential('rekeyed', user)}/check`)).toBe(200);
    expect((await service.result('/rekeyed')).hostKeys).toEqual([host.hostKey]);
  });

  it('is pinned by the service that sees it first', async () => {
    await service.made(linux('unpinned'));
    const pin = (fingerprint: string) =>
      service.send('POST', '/unpinned/hostKey', { fingerprint }, service.asService('files'));
    const both = await Promise.all([pin('SHA256:aaa'), pin('SHA256:bbb')]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 403]);
    const [first] = (await service.result('/unpinned')).hostKeys;
    expect((await pin(first)).status).toBe(200);
    expect((await pin('nonsense')).status).toBe(400);
  });
});

describe('hostEval', () => {
  it('answers the variable of the login on the host', async () => {
    await service.made(service.onHost('evals', { authnCredential: service.keys }));
    expect(await service.result('/evals/hostEval/HOME')).toEqual({ name: process.env['HOME'] });
    expect(await service.result('/evals/hostEval/$HOME')).toEqual({ name: process.env['HOME'] });
    expect(await service.result('/evals/hostEval/NOT_SET_AT_ALL')).toEqual({ name: '' });
  });

  it('runs nothing else', async () => {
    for (const name of ['$(id)', 'A;id', 'A%20B', '1A', '%60id%60', 'A%0Aid'])
      expect([name, await status('GET', `/evals/hostEval/${name}`)]).toEqual([name, 400]);
  });

  it('needs a credential and the right to read; a host that is away is 502', async () => {
    await service.made(linux('no-cred'));
    expect(await status('GET', '/no-cred/hostEval/HOME')).toBe(403);
    expect(await status('GET', '/evals/hostEval/HOME', undefined, 'stranger')).toBe(404);
    const body = service.onHost('evals-away', { port: 1, authnCredential: service.keys });
    await service.send('POST', '?skipCredentialCheck=true', body);
    expect(await status('GET', '/evals-away/hostEval/HOME')).toBe(502);
  });
});

/** The line of an RSA key in authorized_keys. */
function opensshRsa(n: string, e: string): string {
  const number = (text: string) => {
    const bytes = Buffer.from(text, 'base64url');
    return bytes[0]! & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  };
  const parts = [Buffer.from('ssh-rsa'), number(e), number(n)].map((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return Buffer.concat([length, part]);
  });
  return `ssh-rsa ${Buffer.concat(parts).toString('base64')}`;
}
