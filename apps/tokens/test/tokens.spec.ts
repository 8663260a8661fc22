import { decodeJwt, decodeProtectedHeader } from 'jose';
import { keyId } from '@libs/auth';
import { BadInput } from '@libs/envelope';
import { call, freshDatabase, PlatformDouble, until, type CallOptions } from '@libs/kit';
import { tokensRevoked } from '@libs/messages';
import { MessageBus } from '@libs/messaging';
import { createService, listen, type Listening, type RunningService } from '@libs/service-kit';
import { tokens } from '../src/service';

let double: PlatformDouble;
let service: RunningService;
let at: Listening;

beforeAll(async () => {
  double = await PlatformDouble.start();
  const [, dev] = double.directory.tenants;
  Object.assign(dev!, { public_key: null, created_by: 'tenants@admin' });
  double.security.giveRole('admin', 'authenticator', 'dev_token_generator');
  double.security.giveRole('admin', 'boss', '$~site_admin');
  service = await createService(
    tokens,
    double.env({
      LOG_LEVEL: 'silent',
      DATABASE_URL: freshDatabase(),
      SITE_ADMIN_PRIVATE_KEY: double.signer.privateKeyPem,
    }),
  );
  at = await listen(service.handler, '127.0.0.1', 0);
  await until(() => service.ready());
});
afterAll(async () => {
  await at.close(100);
  await service.close();
  await double.close();
});

const ask = (path: string, options?: CallOptions) => call(`${at.url}/v3/tokens${path}`, options);
const basic = (name: string, password = 'double') => ({
  authorization: `Basic ${btoa(`${name}:${password}`)}`,
});
const authenticator = () => double.asService('authenticator', 'authenticator', 'admin');
const wanted = { account_type: 'user', token_tenant_id: 'dev', token_username: 'testuser1' };
const make = (more: object = {}, headers = authenticator()) =>
  ask('', { headers, body: { ...wanted, ...more } });

it('makes a key for a seeded tenant that has none', () => {
  const [, dev] = double.directory.tenants;
  expect(dev).toMatchObject({
    status: 'ACTIVE',
    public_key: expect.stringContaining('PUBLIC KEY'),
  });
});

describe('a user token', () => {
  it('has the claims of the contract', async () => {
    const { status, body } = await make({
      access_token_ttl: 14400,
      claims: { 'svc/grant_type': 'password', mine: 1 },
    });
    expect([200, 201]).toContain(status);
    const { access_token: access, refresh_token } = body.result;
    expect(refresh_token).toBeUndefined();
    expect(access).toMatchObject({
      expires_in: 14400,
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const claims = decodeJwt(access.access_token);
    expect(claims).toMatchObject({
      sub: 'testuser1@dev',
      iss: double.directory.tenants[1]!.token_service,
      jti: access.jti,
      mine: 1,
      'svc/tenant_id': 'dev',
      'svc/username': 'testuser1',
      'svc/account_type': 'user',
      'svc/token_type': 'access',
      'svc/delegation': false,
      'svc/delegation_sub': null,
      'svc/grant_type': 'password',
    });
    expect(claims).not.toHaveProperty('svc/target_site');
    expect(decodeProtectedHeader(access.access_token)).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      kid: await keyId(double.directory.tenants[1]!.public_key!),
    });
  });

  it('lives 300 s unless asked otherwise, a year at most', async () => {
    expect((await make()).body.result.access_token.expires_in).toBe(300);
    expect((await make({ access_token_ttl: -1 })).body.result.access_token.expires_in).toBe(300);
    expect((await make({ access_token_ttl: 10 ** 9 })).body.result.access_token.expires_in).toBe(
      31536000,
    );
  });

  it('of the site administration is for who administers the site', async () => {
    const admin = { token_tenant_id: 'admin', token_username: 'boss' };
    expect((await make(admin)).status).toBe(201);
    expect((await make({ ...admin, token_username: 'somebody' })).status).toBe(403);
    const jobs = double.asService('jobs', 'jobs', 'admin');
    expect((await make(admin, jobs)).status).toBe(403);
    // a service has no person's token, not even one with its own name
    expect((await make({ ...admin, token_username: 'jobs' }, jobs)).status).toBe(403);
  });

  it('has claims that fit into a header', async () => {
    expect((await make({ claims: { note: 'x'.repeat(4000) } })).status).toBe(201);
    expect((await make({ claims: { note: 'x'.repeat(5000) } })).status).toBe(400);
  });

  it('is only for who may make one', async () => {
    expect((await make({}, double.asService('systems', 'systems', 'admin'))).status).toBe(403);
    expect((await make({}, double.as('testuser1', 'other'))).status).toBe(403);
    expect((await make({ token_tenant_id: 'nowhere' })).status).toBe(403);
    expect((await ask('', { body: wanted })).status).toBe(401);
    expect((await ask('', { body: wanted, headers: basic('authenticator') })).status).toBe(401);
    expect((await make({}, { ...authenticator(), ...basic('authenticator') })).status).toBe(400);
  });

  it('takes no claims that say what the token itself says', async () => {
    for (const name of [
      'sub',
      'jti',
      'exp',
      'iss',
      'svc/username',
      'svc/tenant_id',
      'svc/target_site',
      'svc/account_type',
      'svc/token_type',
      'svc/delegation_sub',
    ]) {
      const { status, body } = await make({ claims: { [name]: 'x' } });
      expect([name, status]).toEqual([name, 400]);
      expect(body.message).toContain(name);
    }
  });

  it('may be a delegation token', async () => {
    const sub = {
      delegation_token: true,
      delegation_sub_tenant_id: 'dev',
      delegation_sub_username: 'boss',
    };
    const { body } = await make(sub);
    expect(decodeJwt(body.result.access_token.access_token)).toMatchObject({
      'svc/delegation': true,
      'svc/delegation_sub': 'boss@dev',
    });
    for (const wrong of [
      { delegation_sub_username: undefined },
      { delegation_sub_tenant_id: 'other' },
      { delegation_sub_tenant_id: 'nowhere' },
      { delegation_sub_username: 'a@b' },
    ])
      expect((await make({ ...sub, ...wrong })).status).toBe(400);
  });
});

describe('a service token', () => {
  const own = { account_type: 'service', token_tenant_id: 'admin', token_username: 'jobs' };

  it('is got with the service password', async () => {
    const { body } = await ask('', { headers: basic('jobs'), body: own });
    expect(decodeJwt(body.result.access_token.access_token)).toMatchObject({
      sub: 'jobs@admin',
      'svc/account_type': 'service',
      'svc/target_site': 'primary',
    });
    const wrong = await ask('', { headers: basic('jobs', 'wrong'), body: own });
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, 'Basic']);
    expect(wrong.text).not.toContain('wrong');
    expect((await ask('', { headers: basic('apps'), body: own })).status).toBe(401);
    const other = { ...own, token_username: 'apps' };
    const jobs = double.asService('jobs', 'jobs', 'admin');
    expect((await ask('', { headers: jobs, body: other })).status).toBe(403);
    expect((await ask('', { headers: jobs, body: own })).status).toBe(201);
    const nowhere = { ...own, target_site_id: 'nowhere' };
    expect((await ask('', { headers: basic('jobs'), body: nowhere })).status).toBe(400);
  });
});

describe('a refresh token', () => {
  const pair = async () =>
    (await make({ generate_refresh_token: true, access_token_ttl: 1000, refresh_token_ttl: 2000 }))
      .body.result;
  const refresh = (token: string) => ask('', { method: 'PUT', body: { refresh_token: token } });

  it('gives a new pair like the first, once', async () => {
    const first = await pair();
    expect(first.refresh_token.expires_in).toBe(2000);
    const { status, body } = await refresh(first.refresh_token.refresh_token);
    expect(status).toBe(200);
    const { access_token: access, refresh_token: next } = body.result;
    expect([access.expires_in, next.expires_in]).toEqual([1000, 2000]);
    expect(access.jti).not.toBe(first.access_token.jti);
    expect(decodeJwt(access.access_token)).toMatchObject({
      sub: 'testuser1@dev',
      'svc/refresh_count': 1,
      jti: access.jti,
    });
    const headers = { 'X-Svc-Token': first.refresh_token.refresh_token };
    expect(
      (await ask('/keys', { method: 'PUT', headers, body: { tenant_id: 'dev' } })).status,
    ).toBe(401);
  });

  it('is used once, however many come at the same time', async () => {
    const { refresh_token } = await pair();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => refresh(refresh_token.refresh_token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    const [won] = answers.filter(({ status }) => status === 200);
    // the others looked like theft: what the first one got is worth nothing
    expect((await refresh(won!.body.result.refresh_token.refresh_token)).status).toBe(400);
  });

  it('revokes its family when it is used again', async () => {
    const first = await pair();
    const { body } = await refresh(first.refresh_token.refresh_token);
    expect((await refresh(first.refresh_token.refresh_token)).status).toBe(400);
    expect((await refresh(body.result.refresh_token.refresh_token)).status).toBe(400);
    const revoked = (await ask('/revoked', { headers: double.asService('jobs', 'jobs', 'admin') }))
      .body.result;
    const jtis = revoked.map((r: { jti: string }) => r.jti);
    expect(jtis).toEqual(
      expect.arrayContaining([first.access_token.jti, body.result.access_token.jti]),
    );
  });

  it('has its family revoked everywhere when its second use is answered', async () => {
    const first = await pair();
    const { body } = await refresh(first.refresh_token.refresh_token);
    const told: string[] = [];
    const bus = service.get<MessageBus>(MessageBus as never);
    const listening = await bus.subscribe(tokensRevoked, ({ jti }) => void told.push(jti));
    await refresh(first.refresh_token.refresh_token);
    expect(told).toContain(body.result.access_token.jti);
    await listening.stop();
  });

  it('of an OAuth client goes on if the authenticator says so, whoever hands it in', async () => {
    const claims = { 'svc/client_id': 'portal', 'svc/grant_type': 'password' };
    const made = await make({ generate_refresh_token: true, claims });
    const { refresh_token } = made.body.result.refresh_token;
    const asked: unknown[] = [];
    double.serve('POST', '/v3/oauth2/tokens/renew', ({ body }) => {
      asked.push(body);
      if (asked.length === 1) throw new BadInput('AUTHENTICATOR_INVALID_GRANT', 'its user is gone');
      return { access_token: {}, refresh_token: {} };
    });
    const refused = await refresh(refresh_token);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'AUTHENTICATOR_INVALID_GRANT its user is gone',
    ]);
    expect((await refresh(refresh_token)).body.result).toEqual({
      access_token: {},
      refresh_token: {},
    });
    expect(asked[0]).toEqual({ client_id: 'portal', refresh_token });
    // nothing was used up: the authenticator itself renews it here
    const body = { refresh_token };
    const own = await ask('', { method: 'PUT', headers: authenticator(), body });
    expect(own.body.result.access_token.jti).toBeTruthy();
    expect(asked).toHaveLength(2);
  });

  it('is nothing else than a refresh token', async () => {
    const { access_token } = await pair();
    for (const token of [
      access_token.access_token,
      'nonsense',
      double.stranger.token({ user: 'u', tenant: 'dev' }),
    ])
      expect((await refresh(token)).status).toBe(400);
  });
});

describe('revocation', () => {
  it('is known to every check as soon as it is answered', async () => {
    const made = await make();
    const token = made.body.result.access_token.access_token;
    const use = () =>
      ask('/keys', {
        method: 'PUT',
        headers: { 'X-Svc-Token': token },
        body: { tenant_id: 'dev' },
      });
    expect((await use()).status).toBe(403);
    const told: string[] = [];
    const bus = service.get<MessageBus>(MessageBus as never);
    const listening = await bus.subscribe(tokensRevoked, ({ jti }) => void told.push(jti));
    expect((await ask('/revoke', { body: { token } })).body).toMatchObject({
      status: 'success',
      result: null,
    });
    expect(told).toEqual([made.body.result.access_token.jti]);
    await listening.stop();
    expect((await use()).status).toBe(401);
    expect((await ask('/revoke', { body: { token: 'nonsense' } })).status).toBe(400);
    expect((await ask('/revoked', { headers: double.as('testuser1', 'other') })).status).toBe(403);
  });
});

describe('what the authenticator alone asks for', () => {
  const onBehalf = () => double.asService('authenticator', 'testuser1', 'dev');
  const wanted = { audience: 'portal', ttl: 600, claims: { nonce: 'n', email: 'a@example.org' } };

  it('is an identity token, which opens nothing', async () => {
    const { status, body } = await ask('/identity', { headers: onBehalf(), body: wanted });
    expect(status).toBe(200);
    const token = body.result.id_token;
    expect(decodeJwt(token)).toMatchObject({
      iss: `${double.directory.tenants[1]!.base_url}/v3/oauth2`,
      sub: 'testuser1@dev',
      aud: 'portal',
      nonce: 'n',
      email: 'a@example.org',
      iat: expect.any(Number),
    });
    expect(decodeProtectedHeader(token).kid).toBe(
      await keyId(double.directory.tenants[1]!.public_key!),
    );
    const headers = { 'X-Svc-Token': token, host: new URL(double.url).host };
    const used = await ask('/keys', { method: 'PUT', headers, body: { tenant_id: 'dev' } });
    expect(used.status).toBe(401);
  });

  it('takes no claims that say who somebody is', async () => {
    for (const name of ['sub', 'iss', 'aud', 'exp', 'svc/username', 'svc/token_type']) {
      const body = { ...wanted, claims: { [name]: 'x' } };
      const answer = await ask('/identity', { headers: onBehalf(), body });
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });

  it('ends tokens by their ids, with everything of their login', async () => {
    const login = (await make({ generate_refresh_token: true })).body.result;
    const single = (await make()).body.result.access_token;
    const ids = [login.refresh_token, single].map(({ jti, expires_in }) => ({
      jti,
      exp: Math.floor(Date.now() / 1000) + expires_in,
    }));
    const { status } = await ask('/revoke/issued', { headers: onBehalf(), body: { tokens: ids } });
    expect(status).toBe(200);
    const revoked = (await ask('/revoked', { headers: double.asService('jobs', 'jobs', 'admin') }))
      .body.result;
    expect(revoked.map((r: { jti: string }) => r.jti)).toEqual(
      expect.arrayContaining([login.access_token.jti, single.jti]),
    );
    const body = { refresh_token: login.refresh_token.refresh_token };
    expect((await ask('', { method: 'PUT', body })).status).toBe(400);
  });

  it('is refused to everybody else', async () => {
    const body = { tokens: [{ jti: '00000000-0000-4000-8000-000000000000', exp: 1 }] };
    for (const headers of [double.asService('jobs'), double.as('testuser1', 'other')]) {
      expect((await ask('/revoke/issued', { headers, body })).status).toBe(403);
      expect((await ask('/identity', { headers, body: wanted })).status).toBe(403);
    }
  });
});

it('names every wrong field of an order', async () => {
  const bad = { account_type: 'robot', token_tenant_id: 5, generate_refresh_token: 'yes', more: 1 };
  const { status, body } = await ask('', { headers: authenticator(), body: bad });
  expect(status).toBe(400);
  for (const name of [
    'account_type',
    'token_tenant_id',
    'token_username',
    'generate_refresh_token',
    'more',
  ])
    expect(body.message).toContain(name);
});
