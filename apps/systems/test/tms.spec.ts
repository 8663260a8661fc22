import { call, Sshd, sshd } from '@libs/kit';
import { TmsDouble } from './tms-double';
import { linux, SystemsService } from './systems-service';

let service: SystemsService;
let tms: TmsDouble;
let host: Sshd;
beforeAll(async () => {
  [tms, host] = await Promise.all([TmsDouble.start(), sshd()]);
  // what the host's AuthorizedKeysCommand does: it takes the keys that the server made
  tms.onKey = (publicKey) => host.authorize(publicKey);
  service = await SystemsService.start(tms.env('dev'));
});
afterAll(() => Promise.all([service.stop(), tms.close(), host.close()]));

const onHost = (id: string, more: object = {}) =>
  linux(id, { host: host.host, port: host.port, defaultAuthnMethod: 'TMS_KEYS', ...more });
const register = (id: string, user: string, query: string, body: object = {}, tenant = 'dev') =>
  service.send(
    'POST',
    `/credential/${id}/user/${user}?${query}`,
    body,
    service.as('testuser1', tenant),
  );

it('has keys made, logs in with them, and keeps them for the services', async () => {
  await service.made(onHost('trusted'));
  const { user } = host;
  const made = await register('trusted', user, 'createTmsKeys=true');
  expect([made.status, made.body.message]).toEqual([200, expect.any(String)]);
  expect(tms.asked).toEqual([
    {
      client_user_id: user,
      host: host.host,
      host_account: user,
      num_uses: -1,
      ttl_minutes: -1,
      key_type: 'ED25519',
    },
  ]);
  const { body } = await service.send(
    'GET',
    `/credential/trusted/user/${user}`,
    undefined,
    service.asService('jobs', user),
  );
  expect(body.result).toEqual({
    authnMethod: 'TMS_KEYS',
    loginUser: user,
    tmsPublicKey: expect.stringMatching(/^ssh-ed25519 /),
    tmsPrivateKey: expect.stringContaining('PRIVATE KEY'),
    tmsFingerprint: expect.stringMatching(/^SHA256:/),
  });
  const check = await service.send('POST', `/credential/trusted/user/${user}/check`);
  expect([check.status, check.body.message]).toEqual([200, expect.any(String)]);
  expect(JSON.stringify(await service.result('/trusted/history'))).not.toContain('PRIVATE KEY');
});

it.each<[string, object, string, object, string]>([
  ['no wish for it', {}, '', {}, 'SYSLIB_CRED_TMS_NOT_CREATED'],
  ['another login', {}, 'createTmsKeys=true', { loginUser: 'x' }, 'SYSLIB_CRED_TMS_LOGINUSER'],
  [
    'a static login',
    { effectiveUserId: 'runner' },
    'createTmsKeys=true',
    {},
    'SYSLIB_CRED_TMS_EFFUSR',
  ],
  [
    'another type of system',
    { systemType: 'IRODS', port: 1247 },
    'createTmsKeys=true',
    {},
    'SYSLIB_CRED_TMS_SYSTYPE',
  ],
])('makes none for %s', async (what, more, query, body, code) => {
  const id = what.replaceAll(' ', '-');
  await service.made(onHost(id, more));
  const before = tms.asked.length;
  const answer = await register(id, 'testuser1', query, body);
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(code)]);
  expect(tms.asked).toHaveLength(before);
});

it('serves the tenants it is meant for', async () => {
  const elsewhere = service.as('testuser1', 'other');
  const made = await service.send('POST', '', onHost('elsewhere'), elsewhere);
  expect(made.status).toBe(201);
  const answer = await register('elsewhere', 'testuser1', 'createTmsKeys=true', {}, 'other');
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSLIB_CRED_TMS_TENANT /),
  ]);
});

it('stores nothing when the server has no trust, refuses us, or is away', async () => {
  await service.made(onHost('failing'));
  const outcome = async (failing: TmsDouble['fail']) => {
    tms.fail = failing;
    const { status, body } = await register('failing', 'testuser1', 'createTmsKeys=true');
    tms.fail = undefined;
    expect(body.message).toMatch(/^SYSLIB_CRED_TMS_KEYS_ERR /);
    expect(body.message).not.toContain(tms.secret);
    return status;
  };
  expect(await outcome('no-delegation')).toBe(400);
  expect(await outcome('broken')).toBe(502);
  expect(await outcome('cut')).toBe(502);
  expect((await service.result('/failing')).hasCredentials).toBe(false);
});

it('is not there where no server is set', async () => {
  const plain = await SystemsService.start();
  await plain.made(onHost('none'));
  const answer = await plain.send('POST', '/credential/none/user/testuser1?createTmsKeys=true', {});
  await plain.stop();
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringMatching(/^SYSLIB_CRED_TMS_NOT_CONFIGURED /),
  ]);
});

describe('the double', () => {
  const ask = (headers: Record<string, string>, body: object) =>
    call(`${tms.url}/v1/tms/pubkeys/creds`, { method: 'POST', headers, body });
  const right = () => tms.headers();
  const whole = {
    client_user_id: 'u',
    host: 'h',
    host_account: 'a',
    num_uses: 0,
    ttl_minutes: 0,
  };

  it('answers as the public description says', async () => {
    const made = await ask(right(), whole);
    expect([made.status, made.body]).toEqual([
      201,
      {
        result_code: '0',
        result_msg: 'success',
        private_key: expect.any(String),
        public_key: expect.any(String),
        public_key_fingerprint: expect.any(String),
        key_type: 'ed25519',
        key_bits: '0',
        max_uses: '0',
        remaining_uses: '0',
        expires_at: expect.any(String),
      },
    ]);
    expect((await ask({}, whole)).status).toBe(400);
    expect((await ask({ ...right(), 'X-TMS-CLIENT-SECRET': 'wrong' }, whole)).status).toBe(401);
    expect((await ask(right(), { host: 'h' })).status).toBe(400);
  });
});
