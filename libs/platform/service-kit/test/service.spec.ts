import { call, PlatformDouble, type CallOptions } from '@libs/kit';
import { Conflict } from '@libs/envelope';
import { createService, listen, openApiOf, type Listening, type RunningService } from '../src';
import { sample } from './sample-service';

let double: PlatformDouble;
let service: RunningService;
let at: Listening;

beforeAll(async () => {
  double = await PlatformDouble.start();
  service = await createService(sample, double.env({ LOG_LEVEL: 'silent' }));
  at = await listen(service.handler, '127.0.0.1', 0);
});
afterAll(async () => {
  await at.close(100);
  await service.close();
  await double.close();
});

const ask = (path: string, options: CallOptions = {}) =>
  call(`${at.url}/v3/sample${path}`, { headers: double.as(), ...options });

describe('tokens', () => {
  const refused = async (headers: Record<string, string>, code: string) => {
    const { status, body } = await ask('/who', { headers });
    expect([status, body.message.split(' ')[0]]).toEqual([401, code]);
    expect(body).toMatchObject({ status: 'error', result: null, metadata: null });
  };

  it('takes a user token by the header or as bearer', async () => {
    const { body } = await ask('/who');
    expect(body.result.caller).toMatchObject({
      tenant: 'dev',
      user: 'testuser1',
      accountType: 'user',
      siteId: 'primary',
    });
    const bearer = { authorization: `Bearer ${double.userToken('testuser2')}` };
    expect((await ask('/who', { headers: bearer })).body.result.caller.user).toBe('testuser2');
  });

  it('takes a service token on behalf of somebody', async () => {
    const headers = double.asService('jobs', 'testuser3', 'other');
    expect((await ask('/who', { headers })).body.result.caller).toMatchObject({
      tenant: 'other',
      user: 'testuser3',
      jwtTenant: 'admin',
      jwtUser: 'jobs',
      service: 'jobs',
    });
  });

  it.each<[string, () => Record<string, string>]>([
    ['SVC_TOKEN_MISSING', () => ({})],
    ['SVC_TOKEN_MALFORMED', () => ({ 'X-Svc-Token': 'abc' })],
    ['SVC_TOKEN_EXPIRED', () => double.as('testuser1', 'dev', { ttl: -1 })],
    [
      'SVC_TOKEN_TENANT',
      () => ({ ...double.as(), 'X-Svc-Token': double.userToken('u', 'nowhere') }),
    ],
    ['SVC_TOKEN_TENANT', () => double.as('u', 'dev', { claims: { 'svc/tenant_id': undefined } })],
    ['SVC_TOKEN_ALGORITHM', () => double.as('u', 'dev', { header: { alg: 'none' } })],
    ['SVC_TOKEN_ALGORITHM', () => double.as('u', 'dev', { header: { alg: 'HS256' } })],
    [
      'SVC_TOKEN_SIGNATURE',
      () => ({ 'X-Svc-Token': double.stranger.token({ user: 'u', tenant: 'dev' }) }),
    ],
    ['SVC_TOKEN_TYPE', () => double.as('u', 'dev', { claims: { 'svc/token_type': 'refresh' } })],
    [
      'SVC_TOKEN_ACCOUNT_TYPE',
      () => double.as('u', 'dev', { claims: { 'svc/account_type': 'x' } }),
    ],
    ['SVC_TOKEN_USERNAME', () => double.as('u', 'dev', { claims: { 'svc/username': ' ' } })],
    [
      'SVC_TOKEN_DELEGATION',
      () =>
        double.as('u', 'dev', {
          claims: { 'svc/delegation': true, 'svc/delegation_sub': 'a@other' },
        }),
    ],
    ['SVC_TOKEN_OBO', () => ({ 'X-Svc-Token': double.serviceToken('jobs') })],
    ['SVC_TOKEN_OBO', () => double.asService('jobs', 'u', 'nowhere')],
    ['SVC_TOKEN_OBO', () => ({ ...double.as(), 'X-Svc-User': 'admin' })],
    [
      'SVC_WRONG_SITE',
      () => ({
        ...double.asService('jobs'),
        'X-Svc-Token': double.serviceToken('jobs', { targetSite: 'other' }),
      }),
    ],
    ['SVC_WRONG_TENANT', () => ({ 'X-Svc-Token': double.userToken('u', 'other') })],
    ['SVC_WRONG_TENANT', () => ({ ...double.as(), host: 'nobody.example.org' })],
    ['SVC_TOKEN_AUDIENCE', () => double.as('u', 'dev', { claims: { aud: 'elsewhere' } })],
  ])('%s', (code, headers) => refused(headers(), code));

  it('refuses a tampered token that is remembered in its good form', async () => {
    const headers = double.as();
    await ask('/who', { headers });
    const [head, claims, signature] = headers['X-Svc-Token']!.split('.') as [
      string,
      string,
      string,
    ];
    const changed = JSON.parse(Buffer.from(claims, 'base64url').toString());
    changed['svc/username'] = 'admin';
    const forged = Buffer.from(JSON.stringify(changed)).toString('base64url');
    await refused({ 'X-Svc-Token': `${head}.${forged}.${signature}` }, 'SVC_TOKEN_SIGNATURE');
  });

  it('lets the public in, and only the named services where it says so', async () => {
    expect((await ask('/open', { headers: {} })).body.result).toEqual({ user: null });
    expect((await ask('/open', { headers: { 'X-Svc-Token': 'abc' } })).body.result.user).toBeNull();
    expect((await ask('/open')).body.result).toEqual({ user: 'testuser1' });
    expect((await ask('/inside')).status).toBe(403);
    expect((await ask('/inside', { headers: double.asService('apps') })).status).toBe(403);
    expect((await ask('/inside', { headers: double.asService('jobs') })).status).toBe(200);
  });
});

describe('answers', () => {
  it('puts what a handler returns into the envelope', async () => {
    const { status, body, headers } = await ask('/a');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'build',
      'commit',
      'message',
      'metadata',
      'result',
      'status',
      'version',
    ]);
    expect(body).toMatchObject({
      status: 'success',
      message: 'SAMPLE_FOUND a',
      result: { id: 'a' },
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-powered-by']).toBeUndefined();
    expect((await ask('/stream')).text).toBe('bytes');
  });

  it('names what is missing and hides what failed inside', async () => {
    expect((await ask('/none')).body).toMatchObject({ status: 'error', result: { name: 'none' } });
    const { status, text } = await ask('/boom');
    expect(status).toBe(500);
    expect(text).not.toMatch(/hunter2|at .*\.ts/);
  });

  it('checks bodies and queries, all violations at once', async () => {
    const bad = await ask('', { body: { id: 'much too long', text: 5, more: true } });
    expect(bad.status).toBe(400);
    for (const name of ['id', 'text', 'more']) expect(bad.body.message).toContain(name);
    expect((await ask('', { body: { id: 'ok' } })).status).toBe(201);
    expect((await ask('/query?times=2&loud=true')).body.result).toEqual({ loud: true, times: 2 });
    expect((await ask('/query?times=x')).status).toBe(400);
    expect((await ask('/query?timid=1')).body.message).toContain('timid');
  });

  it('refuses bodies that are broken, too large or of another kind', async () => {
    const json = { ...double.as(), 'content-type': 'application/json' };
    expect((await ask('', { headers: json, body: '{"id":' })).status).toBe(400);
    const large = JSON.stringify({ id: 'a', text: 'x'.repeat(1024 * 1024) });
    expect((await ask('', { headers: json, body: large })).status).toBe(413);
    const xml = { ...double.as(), 'content-type': 'application/xml' };
    expect((await ask('', { headers: xml, body: '<id>a</id>' })).status).toBe(415);
    const gzip = await ask('', { headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' });
    expect([gzip.status, gzip.body.message.split(' ')[0]]).toEqual([400, 'SVC_BAD_BODY']);
    expect((await ask('', { method: 'POST' })).status).toBe(400);
  });

  it('answers unknown paths and methods in the envelope', async () => {
    expect(await call(`${at.url}/v3/sample/a/b`, { headers: double.as() })).toMatchObject({
      status: 404,
      body: { status: 'error' },
    });
    const { status, headers } = await ask('/a', { method: 'PATCH' });
    expect([status, headers['allow']]).toEqual([405, 'GET, PUT']);
    expect((await ask('/%ff')).status).toBe(400);
  });

  it('refuses control characters in paths before anything looks at them', async () => {
    for (const path of ['/a%00b', '/a%0ab', '/a%7F', '/%1f'])
      expect((await ask(path)).body.message).toMatch(/^SVC_BAD_PATH /);
    expect((await ask('/query?times=%00')).status).toBe(400);
    expect((await ask('/a%20b')).body.result).toEqual({ id: 'a b' });
  });

  it('lets web pages call', async () => {
    const origin = 'https://portal.example.org';
    const preflight = await ask('/a', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('X-Svc-Token');
    expect((await ask('/a', { method: 'OPTIONS', headers: {} })).status).toBe(204);
    const { headers } = await ask('/a', { headers: { ...double.as(), origin } });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect((await ask('/who', { headers: { origin } })).status).toBe(401);
  });

  it('honours If-None-Match and If-Match', async () => {
    const { headers } = await ask('/a');
    const etag = headers['etag'] as string;
    expect(etag).toMatch(/^".+"$/);
    const get = await ask('/a', { headers: { ...double.as(), 'if-none-match': etag } });
    expect([get.status, get.text]).toEqual([304, '']);
    const put = (tag: string) =>
      ask('/a', { method: 'PUT', headers: { ...double.as(), 'if-match': tag } });
    expect((await put(etag)).status).toBe(200);
    expect((await put('*')).status).toBe(200);
    expect((await put('"other"')).status).toBe(412);
  });

  it('links to the next page', async () => {
    const { headers } = await ask('/list?limit=2&search=(a.eq.b)');
    expect(headers['link']).toBe(
      '</v3/sample/list?limit=2&search=%28a.eq.b%29&skip=2>; rel="next"',
    );
  });

  it('carries the ids in and out', async () => {
    const given = {
      'X-Request-ID': 'r1',
      'X-Svc-Tracking-ID': 't1',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    };
    const { headers, body } = await ask('/who', { headers: { ...double.as(), ...given } });
    expect(body.result.tracking).toBe('t1');
    expect(headers).toMatchObject({ 'x-request-id': 'r1', 'x-svc-tracking-id': 't1' });
    expect(headers['traceparent']).toBe(given.traceparent);
    const none = await ask('/nothing/here');
    expect(none.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('calls to other services', () => {
  it('go with a service token in the name of the caller', async () => {
    double.serve('GET', '/v3/systems/:id', ({ params, headers }) => ({
      id: params['id'],
      headers,
    }));
    const headers = { ...double.as(), 'X-Svc-Tracking-ID': 'track' };
    const { result } = (await ask('/far/s1', { headers })).body;
    expect(result).toMatchObject({
      id: 's1',
      headers: { 'x-svc-tenant': 'dev', 'x-svc-user': 'testuser1', 'x-svc-tracking-id': 'track' },
    });
    expect(result.headers.host).toBe(new URL(double.directory.tenants[1]!.base_url).host);
  });

  it('pass on the code and status of the other service', async () => {
    double.serve('GET', '/v3/systems/:id', () => {
      throw new Conflict('SYSTEMS_BUSY', 'system s1 is busy');
    });
    const { status, body } = await ask('/far/s1');
    expect([status, body.message]).toEqual([409, 'SYSTEMS_BUSY system s1 is busy']);
  });
});

it('tells health, readiness and metrics without a token', async () => {
  const headers = {};
  expect((await ask('/healthcheck', { headers })).body.result.checkNum).toBe(1);
  expect((await ask('/readycheck', { headers })).body.result).toMatchObject({
    tenantsAccess: true,
  });
});

it('documents itself, running or not', async () => {
  const served = (await ask('/openapi.json', { headers: {} })).body;
  expect(served).toEqual(JSON.parse(JSON.stringify(await openApiOf(sample))));
  const { paths, components } = served;
  expect(paths['/v3/sample/open'].get.security).toEqual([]);
  expect(paths['/v3/sample/{id}'].get.security).toEqual([{ Token: [] }, { Bearer: [] }]);
  expect(paths['/v3/sample/inside'].get['x-services-only']).toEqual(['jobs']);
  expect(paths['/v3/sample/healthcheck'].get.security).toEqual([]);
  expect(paths['/v3/sample'].post.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/Note',
  });
  expect(Object.keys(paths['/v3/sample'].post.responses)).toEqual(['201', 'default']);
  expect(Object.keys(paths['/v3/sample/said'].post.responses)).toEqual(['200', 'default']);
  expect(components.schemas.Note.required).toEqual(['id']);
  expect(components.securitySchemes.Token.name).toBe('X-Svc-Token');
  expect(paths['/v3/sample/list'].get.responses.default).toBeDefined();
});
