import { executing, linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

const status = async (method: string, path: string, body?: unknown, user = 'testuser1') =>
  (await service.send(method, path, body, service.as(user))).status;

describe('PATCH', () => {
  it('changes what is given, replaces arrays, keeps the rest', async () => {
    await service.made(linux('patched', { description: 'old', tags: ['a', 'b'], notes: { x: 1 } }));
    const answer = await service.send('PATCH', '/patched', {
      tags: ['c'],
      port: 2200,
      description: null,
    });
    expect([answer.status, answer.body.result.url]).toEqual([
      200,
      expect.stringContaining('/v3/systems/patched'),
    ]);
    expect(await service.result('/patched')).toMatchObject({
      description: 'old',
      tags: ['c'],
      port: 2200,
      notes: { x: 1 },
      host: 'host.example.org',
    });
  });

  it.each([
    [{ id: 'other' }, 'id'],
    [{ rootDir: '/x' }, 'rootDir'],
    [{ canExec: true, nosuch: 1 }, 'canExec'],
    [{ systemType: 'S3' }, 'systemType'],
    [{ owner: 'x' }, 'owner'],
    [{ enabled: false }, 'enabled'],
    [{ port: 'x' }, 'port'],
    [{ canRunBatch: true }, 'SYSLIB_ISBATCH_NOSCHED'],
    [{ dtnSystemId: 'x' }, 'SYSLIB_DTN_'],
    [{}, 'SYSLIB_UPD_NO_CHANGE'],
  ])('refuses %j', async (patch, reason) => {
    const before = await service.result('/patched');
    const answer = await service.send('PATCH', '/patched', patch);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(reason)]);
    expect(await service.result('/patched')).toEqual(before);
  });

  it('of one of many at once never loses another', async () => {
    await service.made(linux('busy'));
    const fields = ['description', 'mpiCmd', 'importRefId', 'proxyHost'];
    await Promise.all(fields.map((field) => service.send('PATCH', '/busy', { [field]: 'set' })));
    const found = await service.result('/busy');
    expect(fields.map((field) => found[field])).toEqual(fields.map(() => 'set'));
    expect(await service.result('/busy/history')).toHaveLength(5);
  });

  it('honours If-Match', async () => {
    await service.made(linux('tagged'));
    const { headers } = await service.send('GET', '/tagged');
    const match = { ...service.as('testuser1'), 'if-match': String(headers['etag']) };
    expect((await service.send('PATCH', '/tagged', { description: 'one' }, match)).status).toBe(
      200,
    );
    expect((await service.send('PATCH', '/tagged', { description: 'two' }, match)).status).toBe(
      412,
    );
    expect((await service.result('/tagged')).description).toBe('one');
  });

  it('to another login drops the credential of the old one', async () => {
    await service.made(service.onHost('relogin', { authnCredential: service.keys }));
    const before = service.double.security.secrets.size;
    await service.send('PATCH', '/relogin', { effectiveUserId: 'somebody' });
    expect(service.double.security.secrets.size).toBe(before - 1);
    await service.send('PATCH', '/relogin', { effectiveUserId: service.host.user });
    expect(await service.result('/relogin')).toMatchObject({ hasCredentials: false });
    const literal = await service.send('PATCH', '/relogin', { effectiveUserId: '${owner}' });
    expect(literal.status).toBe(400);
  });

  it('forgets the host key when the host is another one', async () => {
    await service.made(service.onHost('moved', { authnCredential: service.keys }));
    await service.send('PATCH', '/moved', { description: 'same host' });
    expect((await service.result('/moved')).hostKeys).toEqual([service.host.hostKey]);
    await service.send('PATCH', '/moved', { host: 'elsewhere.example.org' });
    expect((await service.result('/moved')).hostKeys).toEqual([]);
  });
});

describe('PUT', () => {
  it('replaces all that may change, and takes what GET answered', async () => {
    await service.made(
      linux('put', { ...executing, description: 'd', tags: ['a'], effectiveUserId: 'runner' }),
    );
    const fetched = await service.result('/put');
    const same = await service.send('PUT', '/put', fetched);
    expect([same.status, same.body.message]).toEqual([200, expect.any(String)]);
    const { updated, ...kept } = fetched;
    expect(updated).toBeDefined();
    expect(await service.result('/put')).toMatchObject(kept);

    const { host, defaultAuthnMethod, jobRuntimes, jobWorkingDir } = fetched;
    const bare = { host: `new.${host}`, defaultAuthnMethod, jobRuntimes, jobWorkingDir };
    expect((await service.send('PUT', '/put', bare)).status).toBe(200);
    const found = await service.result('/put');
    expect(found).toMatchObject({
      host: 'new.host.example.org',
      tags: [],
      rootDir: '/data',
      effectiveUserId: 'runner',
    });
    expect(found.description).toBeUndefined();
  });

  it('keeps a dynamic effective user dynamic', async () => {
    await service.made(linux('dynamic'));
    const answer = await service.send('PUT', '/dynamic', await service.result('/dynamic'));
    expect(answer.status).toBe(200);
    expect(await service.result('/dynamic')).toMatchObject({ isDynamicEffectiveUser: true });
  });
});

it('never mixes two replacements at once', async () => {
  await service.made(linux('torn'));
  const version = (n: number) => ({
    host: `h${n}.example.org`,
    defaultAuthnMethod: 'PKI_KEYS',
    description: `d${n}`,
    mpiCmd: `m${n}`,
    port: 1000 + n,
    tags: [`t${n}`],
    notes: { n },
  });
  const all = Array.from({ length: 20 }, (_, n) => service.send('PUT', '/torn', version(n)));
  for (const { status } of await Promise.all(all)) expect(status).toBe(200);
  const found = await service.result('/torn');
  expect(found).toMatchObject(version(found.notes.n));
  expect(await service.result('/torn/history')).toHaveLength(21);
});

it('never mixes a replacement with a patch', async () => {
  await service.made(linux('mixed', { description: 'old', mpiCmd: 'old' }));
  const put = { host: 'new.example.org', defaultAuthnMethod: 'PKI_KEYS', description: 'put' };
  const [a, b] = await Promise.all([
    service.send('PUT', '/mixed', put),
    service.send('PATCH', '/mixed', { mpiCmd: 'patched', tags: ['patched'] }),
  ]);
  expect([a.status, b.status]).toEqual([200, 200]);
  const { description, mpiCmd, tags } = await service.result('/mixed');
  const putLast = { description: 'put', mpiCmd: undefined, tags: [] };
  const patchLast = { description: 'put', mpiCmd: 'patched', tags: ['patched'] };
  expect([putLast, patchLast]).toContainEqual({ description, mpiCmd, tags });
});

describe('who may', () => {
  beforeAll(async () => {
    await service.made(linux('guarded'));
    service.double.security.grant('dev', 'reader', 'system:dev:READ:guarded');
    service.double.security.grant('dev', 'writer', 'system:dev:READ,MODIFY:guarded');
  });

  it.each([
    [
      'PATCH',
      '/guarded',
      { description: 'x' },
      { writer: 200, boss: 200, reader: 403, stranger: 404 },
    ],
    ['POST', '/guarded/disable', undefined, { boss: 200, writer: 403, reader: 403, stranger: 404 }],
    ['POST', '/guarded/enable', undefined, { boss: 200, writer: 403, reader: 403, stranger: 404 }],
    [
      'POST',
      '/guarded/undelete',
      undefined,
      { boss: 200, writer: 403, reader: 403, stranger: 404 },
    ],
    ['GET', '/guarded/history', undefined, { boss: 200, writer: 200, reader: 200, stranger: 404 }],
    [
      'DELETE',
      '/guarded/hostKey',
      undefined,
      { boss: 200, writer: 403, reader: 403, stranger: 404 },
    ],
    ['POST', '/guarded/hostKey', { fingerprint: 'SHA256:abc' }, { testuser1: 403, boss: 403 }],
    ['POST', '/guarded/delete', undefined, { writer: 403, reader: 403, stranger: 404, boss: 200 }],
  ])('%s %s', async (method, path, body, expected) => {
    const seen: Record<string, number> = {};
    for (const user of Object.keys(expected)) seen[user] = await status(method, path, body, user);
    expect(seen).toEqual(expected);
  });
});

it('is deleted softly and comes back', async () => {
  await service.made(service.onHost('soft', { authnCredential: service.keys }));
  const permissions = service.double.security.permissions.get('["dev","testuser1"]')!;
  const secrets = service.double.security.secrets.size;
  service.double.security.grant('dev', 'friend', 'system:dev:READ:soft');
  expect((await service.send('POST', '/soft/delete')).body.result).toEqual({ changes: 1 });
  expect((await service.send('POST', '/soft/delete')).body.result).toEqual({ changes: 1 });
  for (const [method, path] of [
    ['GET', '/soft'],
    ['GET', '/soft/isEnabled'],
    ['POST', '/soft/enable'],
  ] as const)
    expect([path, await status(method, path)]).toEqual([path, 404]);
  expect(await status('PATCH', '/soft', { description: 'x' })).toBe(404);
  expect(permissions).not.toContain('files:dev:*:soft');
  expect(service.double.security.permissions.get('["dev","friend"]')).not.toContain(
    'system:dev:READ:soft',
  );
  expect(service.double.security.secrets.size).toBe(secrets - 1);
  expect(await status('GET', '/soft/history')).toBe(200);

  expect((await service.send('POST', '/soft/undelete')).body.result).toEqual({ changes: 1 });
  expect((await service.send('POST', '/soft/undelete')).body.result).toEqual({ changes: 0 });
  expect(permissions).toContain('files:dev:*:soft');
  expect(await service.result('/soft')).toMatchObject({ deleted: false, hasCredentials: false });
  const operations = (await service.result('/soft/history')).map(
    (h: { operation: string }) => h.operation,
  );
  expect(operations).toEqual(['create', 'delete', 'delete', 'undelete']);
});

it('remembers who changed what', async () => {
  await service.made(linux('told'));
  await service.send('PATCH', '/told', { description: 'by jobs' }, service.asService('jobs'));
  const [create, patch] = await service.result('/told/history');
  expect(create).toMatchObject({
    operation: 'create',
    oboUser: 'testuser1',
    oboTenant: 'dev',
    jwtUser: 'testuser1',
  });
  expect(create.description).toMatchObject({ id: 'told', host: 'host.example.org' });
  expect(patch).toMatchObject({
    operation: 'modify',
    oboUser: 'testuser1',
    jwtTenant: 'admin',
    jwtUser: 'jobs',
    description: { description: 'by jobs' },
    created: expect.stringMatching(/Z$/),
  });
});
