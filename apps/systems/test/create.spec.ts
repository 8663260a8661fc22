import { createServer, type AddressInfo } from 'node:net';
import { executing, linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
});
afterAll(() => service.stop());

it('answers the address, and then the whole record with defaults', async () => {
  const made = await service.send('POST', '', linux('whole'));
  expect(made.status).toBe(201);
  expect(made.body.result.url).toMatch(/^http:\/\/localhost:\d+\/v3\/systems\/whole$/);
  expect(await service.result('/whole')).toEqual({
    ...linux('whole'),
    tenant: 'dev',
    owner: 'testuser1',
    enabled: true,
    effectiveUserId: 'testuser1',
    isDynamicEffectiveUser: true,
    hasCredentials: false,
    port: -1,
    useProxy: false,
    proxyPort: -1,
    canRunBatch: false,
    enableCmdPrefix: false,
    allowChildren: false,
    jobEnvVariables: [],
    jobMaxJobs: 2147483647,
    jobMaxJobsPerUser: 2147483647,
    batchLogicalQueues: [],
    jobCapabilities: [],
    tags: [],
    notes: {},
    parentId: null,
    hostKeys: [],
    isPublic: false,
    sharedWithUsers: [],
    authnCredential: null,
    deleted: false,
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    updated: expect.any(String),
  });
});

it('keeps everything that can be said of an executing system', async () => {
  const all = linux('everything', {
    ...executing,
    description: 'lines\nand tabs',
    effectiveUserId: 'runner',
    port: 2222,
    enableCmdPrefix: true,
    mpiCmd: 'mpirun',
    jobRuntimes: [
      { runtimeType: 'SINGULARITY', version: null },
      { runtimeType: 'ZIP', version: '1' },
    ],
    jobEnvVariables: [
      { key: 'A', value: ' spaced ', description: 'd', inputMode: 'FIXED', notes: { a: 1 } },
    ],
    jobMaxJobs: 5,
    canRunBatch: true,
    batchScheduler: 'SLURM',
    batchLogicalQueues: [{ name: 'short', hpcQueueName: 'debug', maxMinutes: 60 }],
    jobCapabilities: [{ category: 'HARDWARE', name: 'gpu', datatype: 'INTEGER', value: '4' }],
    tags: ['a', 'b'],
    notes: { deep: { x: [1, null, 'y'] } },
    importRefId: 'ref',
  });
  await service.made(all);
  const found = await service.result('/everything');
  expect(found).toMatchObject({
    ...all,
    effectiveUserId: 'runner',
    isDynamicEffectiveUser: false,
    batchDefaultLogicalQueue: 'short',
    batchLogicalQueues: [
      {
        name: 'short',
        maxJobs: 2147483647,
        minNodeCount: 1,
        minCoresPerNode: 1,
        minMemoryMB: 0,
        minMinutes: 0,
      },
    ],
    jobCapabilities: [{ precedence: 100 }],
  });
});

it('puts variables in once, and straightens paths', async () => {
  await service.made(
    linux('vars', {
      ...executing,
      effectiveUserId: '${owner}',
      rootDir: '//home/${tenant}//${owner}/../${apiUserId}/',
      jobWorkingDir: 'scratch/${owner}',
    }),
  );
  expect(await service.result('/vars')).toMatchObject({
    effectiveUserId: 'testuser1',
    isDynamicEffectiveUser: false,
    rootDir: '/home/dev/testuser1',
    jobWorkingDir: 'scratch/testuser1',
  });
});

it('gives an id to one of fifty who ask for it at once', async () => {
  const all = await Promise.all(
    Array.from({ length: 50 }, () => service.send('POST', '', linux('raced'))),
  );
  const statuses = all.map((answer) => answer.status).sort();
  expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
  expect(await service.result('/raced/history')).toHaveLength(1);
  const grants = service.double.security.permissions.get('["dev","testuser1"]');
  expect(grants).toContain('files:dev:*:raced');
});

it('refuses taken and reserved ids, deleted ones too, but not those of another tenant', async () => {
  await service.made(linux('gone'));
  await service.send('POST', '/gone/delete');
  for (const id of ['whole', 'gone', 'search', 'SEARCH', 'HealthCheck', 'credential'])
    expect([id, (await service.send('POST', '', linux(id))).status]).toEqual([id, 409]);
  const other = await service.send('POST', '', linux('whole'), service.as('testuser1', 'other'));
  expect(other.status).toBe(201);
});

it('lets only administrators make systems for others', async () => {
  service.double.security.makeAdmin('dev', 'boss');
  const body = linux('for-others', { owner: 'testuser2' });
  expect((await service.send('POST', '', body)).status).toBe(403);
  expect((await service.send('POST', '', body, service.as('boss'))).status).toBe(201);
  expect((await service.result('/for-others', 'testuser2')).owner).toBe('testuser2');
});

it('makes one system for one Idempotency-Key', async () => {
  const headers = { ...service.as('testuser1'), 'idempotency-key': 'key-1' };
  const [first, again] = [
    await service.send('POST', '', linux('idem'), headers),
    await service.send('POST', '', linux('idem'), headers),
  ];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body.result).toEqual(first.body.result);
  expect((await service.send('POST', '', linux('idem2'), headers)).status).toBe(409);
  expect((await service.send('GET', '/idem2')).status).toBe(404);
});

it.each<[string, object, string[]]>([
  ['nothing given', { id: 'x' }, ['systemType', 'host', 'defaultAuthnMethod', 'canExec']],
  ['unknown fields', { nosuch: 1, uuid: 'u' }, ['nosuch', 'uuid']],
  [
    'wrong types',
    { port: 'a', canExec: 'maybe', tags: 'x', notes: [] },
    ['port', 'canExec', 'tags', 'notes'],
  ],
  [
    'too long',
    { id: 'a'.repeat(81), description: 'd'.repeat(2049), mpiCmd: 'm'.repeat(127) },
    ['id', 'description', 'mpiCmd'],
  ],
  ['odd characters', { id: '-a', host: 'a b', rootDir: '/a\u0007' }, ['id', 'host', 'rootDir']],
  ['control characters', { tags: ['a\nb'], effectiveUserId: 'a\tb' }, ['tags', 'effectiveUserId']],
  ['root directory', { rootDir: 'relative' }, ['SYSLIB_ROOTDIR_NOSLASH']],
  ['no root directory', { rootDir: '' }, ['SYSLIB_NOROOTDIR']],
  [
    'S3',
    { systemType: 'S3', canExec: true },
    ['SYSLIB_S3_NOBUCKET_INPUT', 'SYSLIB_S3_CANEXEC_INPUT'],
  ],
  ['IRODS', { systemType: 'IRODS' }, ['SYSLIB_NOPORT']],
  [
    'executing',
    { canExec: true },
    ['SYSLIB_CANEXEC_NO_JOBWORKINGDIR_INPUT', 'SYSLIB_CANEXEC_NO_JOBRUNTIME_INPUT'],
  ],
  ['batch', { canRunBatch: true }, ['SYSLIB_ISBATCH_NOSCHED', 'SYSLIB_ISBATCH_NOQUEUES']],
  [
    'default queue',
    {
      canRunBatch: true,
      batchScheduler: 'SLURM',
      batchDefaultLogicalQueue: 'b',
      batchLogicalQueues: [{ name: 'a', hpcQueueName: 'a' }],
    },
    ['SYSLIB_ISBATCH_DEFAULTQ_NOTINLIST'],
  ],
  [
    'variables',
    {
      jobEnvVariables: [
        { key: '_svcX' },
        { key: 'F', inputMode: 'FIXED' },
        { key: 'R', inputMode: 'REQUIRED', value: 'v' },
        { key: '1a' },
      ],
    },
    [
      'SYSLIB_ENV_VAR_INVALID_PREFIX',
      'SYSLIB_ENV_VAR_FIXED_UNSET',
      'SYSLIB_ENV_VAR_REQUIRED_SET',
      '1a',
    ],
  ],
  ['dtn of a store', { dtnSystemId: 'whole' }, ['SYSLIB_DTN_CANEXEC_FALSE']],
  ['dtn that is not there', { ...executing, dtnSystemId: 'nosuch' }, ['SYSLIB_DTN_NO_SYSTEM']],
  [
    'dtn elsewhere',
    { ...executing, dtnSystemId: 'whole', rootDir: '/else' },
    ['SYSLIB_DTN_ROOTDIR_MISMATCH'],
  ],
  [
    'credential of a dynamic system',
    { authnCredential: { password: 'p' } },
    ['SYSLIB_CRED_DISALLOWED_INPUT'],
  ],
  [
    'half a credential with a login',
    { effectiveUserId: 'u', authnCredential: { publicKey: 'p', loginUser: 'x' } },
    ['SYSLIB_CRED_INVALID_LOGINUSER', 'privateKey'],
  ],
  [
    'HOST_EVAL without credential',
    { effectiveUserId: 'u', rootDir: 'HOST_EVAL($HOME)' },
    ['SYSLIB_ROOT_HOST_EVAL_CREDS'],
  ],
  ['HOST_EVAL for everybody', { rootDir: 'HOST_EVAL($HOME)' }, ['SYSLIB_ROOT_HOST_EVAL_EFFUSR']],
  [
    'HOST_EVAL twice',
    {
      effectiveUserId: 'u',
      authnCredential: { password: 'p' },
      rootDir: '/HOST_EVAL($A)/HOST_EVAL($B)',
    },
    ['SYSLIB_ROOT_HOST_EVAL_MULTIPLE'],
  ],
])('refuses with all reasons: %s', async (_, wrong, reasons) => {
  const body = 'id' in wrong && Object.keys(wrong).length === 1 ? wrong : linux('refused', wrong);
  const { status, body: envelope } = await service.send('POST', '', body);
  expect(status).toBe(400);
  for (const reason of reasons) expect(envelope.message).toContain(reason);
  expect((await service.send('GET', '/refused')).status).toBe(404);
});

it('refuses what is no JSON and what is too large', async () => {
  const headers = { ...service.as('testuser1'), 'content-type': 'application/json' };
  expect((await service.send('POST', '', '{"id":', headers)).status).toBe(400);
  expect((await service.send('POST', '', '[]', headers)).status).toBe(400);
  const large = linux('large', { notes: { x: 'x'.repeat(1 << 20) } });
  expect((await service.send('POST', '', large)).status).toBe(413);
});

describe('with a credential', () => {
  it('logs in for real, pins the host key, keeps the secret in the security kernel only', async () => {
    await service.made(service.onHost('real', { authnCredential: service.keys }));
    const found = await service.result('/real');
    expect(found).toMatchObject({
      hasCredentials: true,
      authnCredential: null,
      hostKeys: [service.host.hostKey],
    });
    expect([...service.double.security.secrets.values()]).toContainEqual(
      expect.objectContaining({ privateKey: service.keys.privateKey }),
    );
    const history = JSON.stringify(await service.result('/real/history'));
    expect(history).toContain('***');
    expect(history).not.toContain('PRIVATE KEY');
  });

  it('takes keys on a single line', async () => {
    const oneLine = {
      ...service.keys,
      privateKey: service.keys.privateKey.replaceAll('\n', '\\n'),
    };
    await service.made(service.onHost('one-line', { authnCredential: oneLine }));
  });

  it('asks the host for HOST_EVAL, once', async () => {
    const authnCredential = service.keys;
    await service.made(
      service.onHost('home', { authnCredential, rootDir: 'HOST_EVAL($HOME)/x/../y' }),
    );
    expect((await service.result('/home')).rootDir).toBe(`${process.env['HOME']}/y`);
    await service.made(
      service.onHost('fallback', { authnCredential, rootDir: '/HOST_EVAL(NOT_SET, tmp)/z' }),
    );
    expect((await service.result('/fallback')).rootDir).toBe('/tmp/z');
    const empty = service.onHost('empty', { authnCredential, rootDir: 'HOST_EVAL($NOT_SET)' });
    const refused = await service.send('POST', '', empty);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('SYSLIB_HOST_EVAL_RESOLVE_EMPTY'),
    ]);
  });

  it.each<[string, (s: SystemsService) => object, string]>([
    ['another user', () => ({ effectiveUserId: 'nobody-here' }), 'SYSAPI_CRED_VALID_FAIL'],
    ['a host that is not there', () => ({ port: 1 }), 'SYSAPI_CRED_CONN_FAIL'],
    [
      'no key at all',
      (s) => ({ authnCredential: { ...s.keys, privateKey: 'nonsense' } }),
      'SYSAPI_CRED_VALID_FAIL',
    ],
    ['another method', () => ({ defaultAuthnMethod: 'PASSWORD' }), 'SYSAPI_CRED_NOT_FOUND'],
  ])('stores nothing for %s', async (_, wrong, code) => {
    const before = service.double.security.secrets.size;
    const body = service.onHost('failing', { authnCredential: service.keys, ...wrong(service) });
    const { status, body: envelope } = await service.send('POST', '', body);
    expect([status, envelope.message]).toEqual([400, expect.stringContaining(code)]);
    expect((await service.send('GET', '/failing')).status).toBe(404);
    expect(service.double.security.secrets.size).toBe(before);
  });

  it('answers within the connect timeout when the host says nothing, and stores nothing', async () => {
    const mute = createServer(() => undefined);
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const started = Date.now();
    const body = service.onHost('mute', { port, authnCredential: service.keys });
    const { status, body: envelope } = await service.send('POST', '', body);
    expect([status, envelope.message]).toEqual([
      400,
      expect.stringMatching(/^SYSAPI_CRED_CONN_FAIL .*did not answer in time/),
    ]);
    // CONNECT_SECONDS is 5 here
    expect(Date.now() - started).toBeLessThan(15_000);
    expect((await service.send('GET', '/mute')).status).toBe(404);
    mute.close();
  });

  it('leaves nothing behind when the security kernel fails half-way', async () => {
    const { security } = service.double;
    const before = security.secrets.size;
    const answer = security.answer.bind(security);
    const failing = jest.spyOn(security, 'answer').mockImplementation((request) => {
      if (request.path.endsWith('grantUserPermission')) throw new Error('out of order');
      return answer(request);
    });
    const body = service.onHost('half', { authnCredential: service.keys });
    const refused = await service.send('POST', '', body);
    failing.mockRestore();
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(security.secrets.size).toBe(before);
    await service.made(body);
  });

  it('takes it unseen with skipCredentialCheck', async () => {
    const body = service.onHost('unseen', { port: 1, authnCredential: service.keys });
    expect((await service.send('POST', '?skipCredentialCheck=true', body)).status).toBe(201);
    expect(await service.result('/unseen')).toMatchObject({ hasCredentials: true, hostKeys: [] });
  });
});
