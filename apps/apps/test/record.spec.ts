import { app, AppsService } from './apps-service';

let service: AppsService;
beforeAll(async () => {
  service = await AppsService.start();
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown) => service.send(method, path, body);
const job = (jobAttributes: object) => ({ jobAttributes });
const set = (parameterSet: object) => job({ parameterSet });

it('has every default of the contract', async () => {
  const more = job({
    parameterSet: {
      appArgs: [{ name: 'a' }],
      envVariables: [{ key: 'K' }],
      logConfig: { stdoutFilename: 'out', stderrFilename: 'out' },
    },
    fileInputs: [{ name: 'a file' }],
    fileInputArrays: [{ name: 'some files', targetDir: 'in' }],
    subscriptions: [
      {
        jobEventCategoryFilter: 'JOB_NEW_STATUS',
        deliveryTargets: [{ deliveryMethod: 'EMAIL', deliveryAddress: 'me@example.org' }],
      },
    ],
  });
  expect((await send('POST', '', app('defaults', '1.0', more))).status).toBe(201);
  const { result } = (await send('GET', '/defaults/1.0')).body;
  expect(result).toEqual({
    tenant: 'dev',
    id: 'defaults',
    version: '1.0',
    owner: 'testuser1',
    enabled: true,
    versionEnabled: true,
    locked: false,
    runtime: 'DOCKER',
    runtimeOptions: ['NONE'],
    containerImage: 'registry/image:1',
    jobType: 'FORK',
    maxJobs: -1,
    maxJobsPerUser: -1,
    strictFileInputs: false,
    tags: [],
    notes: {},
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    deleted: false,
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated: expect.any(String),
    isPublic: false,
    sharedWithUsers: [],
    sharedAppCtx: null,
    jobAttributes: {
      dynamicExecSystem: false,
      dtnSystemInputDir: '!svc_not_set',
      dtnSystemOutputDir: '!svc_not_set',
      archiveMode: 'ALWAYS',
      archiveOnAppError: true,
      isMpi: false,
      nodeCount: 1,
      coresPerNode: 1,
      memoryMB: 100,
      maxMinutes: 10,
      tags: [],
      parameterSet: {
        appArgs: [{ name: 'a', inputMode: 'INCLUDE_ON_DEMAND' }],
        containerArgs: [],
        schedulerOptions: [],
        envVariables: [{ key: 'K', value: '', inputMode: 'INCLUDE_BY_DEFAULT', notes: {} }],
        archiveFilter: { includes: [], excludes: [], includeLaunchFiles: true },
        logConfig: { stdoutFilename: 'out', stderrFilename: 'out' },
      },
      fileInputs: [{ name: 'a file', inputMode: 'OPTIONAL', autoMountLocal: true }],
      fileInputArrays: [{ name: 'some files', targetDir: 'in', inputMode: 'OPTIONAL' }],
      subscriptions: [
        {
          jobEventCategoryFilter: 'JOB_NEW_STATUS',
          enabled: true,
          ttlMinutes: 10_080,
          deliveryTargets: [{ deliveryMethod: 'EMAIL', deliveryAddress: 'me@example.org' }],
        },
      ],
    },
  });
});

it('takes everything up to its limits', async () => {
  const long = (n: number) => 'x'.repeat(n);
  const more = {
    description: long(2048),
    runtimeVersion: long(128),
    containerImage: long(4096),
    runtimeOptions: [],
    tags: [long(128)],
    jobAttributes: {
      description: long(2048),
      execSystemExecDir: long(4096),
      execSystemLogicalQueue: long(128),
      mpiCmd: long(126),
      cmdPrefix: long(4096),
      tags: [long(128)],
      parameterSet: { appArgs: [{ name: long(80), description: long(8096), arg: '-x' }] },
      fileInputs: [{ name: long(80), description: long(8096), targetPath: 'p' }],
    },
  };
  expect((await send('POST', '', app(`l${long(79)}`, long(64), more))).status).toBe(201);
});

const FIELDS: [string, object, string][] = [
  ['id', { id: 'x'.repeat(81) }, 'id: must have at most 80'],
  ['version', { version: 'x'.repeat(65) }, 'version: must have at most 64'],
  ['id letters', { id: '_x' }, 'id: must begin with a letter or digit'],
  ['version letters', { version: '1/2' }, 'version: must begin with a letter or digit'],
  ['owner', { owner: 'x'.repeat(61) }, 'owner: must have at most 60'],
  ['description', { description: 'x'.repeat(2049) }, 'description: must have at most 2048'],
  ['containerImage', { containerImage: '' }, 'containerImage: must not be empty'],
  ['runtime', { runtime: 'VM' }, 'runtime: must be one of DOCKER, SINGULARITY, ZIP'],
  ['options', { runtimeOptions: ['SINGULARITY_START'] }, 'runtimeOptions[0]: must be one of NONE'],
  ['jobType', { jobType: 'BOTH' }, 'jobType: must be one of FORK, BATCH'],
  ['tags', { tags: ['a', 'a'] }, 'tags[1]: is there twice'],
  ['tag', { tags: ['x'.repeat(129)] }, 'tags[0]: must have at most 128'],
  ['notes', { notes: [] }, 'notes: must be an object'],
  ['unknown', { color: 'red' }, 'color: is not a known property'],
  ['read-only', { uuid: 'x', created: 'x' }, 'uuid: is not a known property'],
  ['nodeCount', job({ nodeCount: 0 }), 'jobAttributes.nodeCount: must be at least 1'],
  ['memory', job({ memoryMB: 1.5 }), 'jobAttributes.memoryMB: must be a whole number'],
  ['directory', job({ execSystemExecDir: '' }), 'execSystemExecDir: must not be empty'],
  ['constraint', job({ execSystemConstraints: ['ab'] }), 'must have at least 3 characters'],
  ['mpiCmd', job({ mpiCmd: 'x'.repeat(127) }), 'mpiCmd: must have at most 126'],
  ['archiveMode', job({ archiveMode: 'MAYBE' }), 'archiveMode: must be one of ALWAYS'],
  ['control character', job({ execSystemExecDir: '/a\nb' }), 'must not have control characters'],
  ['argument line', set({ appArgs: [{ name: 'a', arg: 'x\ny' }] }), 'arg: must not have control'],
  ['argument name', set({ appArgs: [{ arg: '-x' }] }), 'appArgs[0].name: is missing'],
  ['argument', set({ appArgs: [{ name: 'a', arg: '' }] }), 'appArgs[0].arg: must not be empty'],
  ['twice', set({ appArgs: [{ name: 'a' }, { name: 'a' }] }), 'appArgs[1].name: is there twice'],
  ['mode', set({ appArgs: [{ name: 'a', inputMode: 'OPTIONAL' }] }), 'inputMode: must be one of'],
  ['log', set({ logConfig: { stdoutFilename: 'a' } }), 'logConfig.stderrFilename: is missing'],
  ['filter', set({ archiveFilter: { includes: [''] } }), 'includes[0]: must not be empty'],
  ['input', job({ fileInputs: [{}] }), 'fileInputs[0].name: is missing'],
  ['event', job({ subscriptions: [{ jobEventCategoryFilter: 'X' }] }), 'must be one of'],
  ['targets', job({ subscriptions: [{ deliveryTargets: [] }] }), 'must have at least 1 items'],
];
it.each(FIELDS)('refuses a wrong %s and says so', async (_, wrong, text) => {
  const { status, body } = await send('POST', '', { ...app('wrong'), ...wrong });
  expect([status, body.message]).toEqual([400, expect.stringContaining(text)]);
});

const fileInput = (more: object) => job({ fileInputs: [{ name: 'a', ...more }] });
const RULES: [string, object, string][] = [
  ['constraints', job({ execSystemConstraints: ['a=b'] }), 'APPLIB_DYNAMIC_NOCONSTRAINTS'],
  [
    'an option of another runtime',
    { runtimeOptions: ['SINGULARITY_RUN'] },
    'APPLIB_CONTAINERIZED_SING_OPT',
  ],
  ['a variable name', set({ envVariables: [{ key: '1a' }] }), 'APPLIB_ENV_VAR_INVALID_NAME'],
  [
    'a fixed variable without value',
    set({ envVariables: [{ key: 'A', inputMode: 'FIXED', value: '!svc_not_set' }] }),
    'APPLIB_ENV_VAR_FIXED_UNSET',
  ],
  ['an envKey', fileInput({ envKey: 'a-b' }), 'APPLIB_ENV_VAR_INVALID_NAME'],
  ['an envKey of the platform', fileInput({ envKey: '_svcX' }), 'APPLIB_ENV_VAR_INVALID_PREFIX'],
  [
    'an argument of archives for a container',
    set({ containerArgs: [{ name: 'a', arg: '--svc-zip-save' }] }),
    'APPLIB_CON_ARG_ZIP_SAV_NOTZIP',
  ],
  [
    'an argument of containers for an archive',
    {
      runtime: 'ZIP',
      containerImage: '/a.zip',
      ...set({ containerArgs: [{ name: 'a', arg: '-v' }] }),
    },
    'APPLIB_CON_ARG_NOT_SUPPORTED',
  ],
  [
    'too few minutes for the queue',
    {
      jobType: 'BATCH',
      ...job({ execSystemId: 'exec', execSystemLogicalQueue: 'long', maxMinutes: 5 }),
    },
    'APPLIB_EXECQ_LIMIT_LOW',
  ],
  [
    'a batch app on a system without batch',
    { jobType: 'BATCH', ...job({ execSystemId: 'fork' }) },
    'APPLIB_EXECSYS_NOT_BATCH',
  ],
  [
    'an archive system that is not there',
    job({ archiveSystemId: 'none', archiveSystemDir: '/a' }),
    'APPLIB_ARCHSYS_NO_SYSTEM',
  ],
];
it.each(RULES)('refuses %s at creation, by PATCH and by PUT', async (name, wrong, code) => {
  const id = `rules-${RULES.findIndex(([rule]) => rule === name)}`;
  const refused = await send('POST', '', { ...app(id), ...wrong });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(code)]);
  expect((await send('POST', '', app(id))).status).toBe(201);
  for (const [method, body] of [
    ['PATCH', wrong],
    ['PUT', { containerImage: 'registry/image:1', ...wrong }],
  ] as const) {
    const answer = await send(method, `/${id}/1.0`, body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(code)]);
  }
  expect((await send('GET', `/${id}/history`)).body.result).toHaveLength(1);
});

it('a FORK app may name a queue that is not looked up', async () => {
  const more = job({ execSystemId: 'fork', execSystemLogicalQueue: 'nowhere', maxMinutes: 9999 });
  expect((await send('POST', '', app('forked', '1.0', more))).status).toBe(201);
});

it.each([
  ['an absolute path', '/apps/a.zip'],
  ['a URL of the platform', 'svc://exec/a.zip'],
  ['a URL of the web', 'https://example.org/a.tar.gz'],
])('takes %s for an archive', async (_, containerImage) => {
  const id = `zip-${containerImage.length}`;
  expect((await send('POST', '', { ...app(id), runtime: 'ZIP', containerImage })).status).toBe(201);
});

it('tells all that is wrong in one answer: fields, rules and systems', async () => {
  const { status, body } = await send('POST', '', {
    id: 'all-wrong',
    version: '1.0',
    runtime: 'VM',
    color: 'red',
    jobAttributes: {
      nodeCount: 'two',
      archiveSystemId: 'none',
      execSystemId: 'store',
      parameterSet: { envVariables: [{ key: '_svcX' }], appArgs: [{ arg: 'no name' }] },
    },
  });
  expect(status).toBe(400);
  for (const part of [
    'containerImage: is missing',
    'runtime: must be one of',
    'color: is not a known property',
    'nodeCount: must be a whole number',
    'appArgs[0].name: is missing',
    'APPLIB_ARCHIVE_NODIR',
    'APPLIB_ENV_VAR_INVALID_PREFIX',
    'APPLIB_EXECSYS_NOT_EXEC',
    'APPLIB_ARCHSYS_NO_SYSTEM',
  ])
    expect(body.message).toContain(part);
});

it('of a body without names says that they are missing', async () => {
  const { status, body } = await send('POST', '', {});
  expect([status, body.message]).toEqual([400, expect.stringContaining('id: is missing')]);
  expect(body.message).not.toContain('undefined');
});

it.each([['search'], ['Perms'], ['SHARE_public'], ['healthcheck']])(
  'keeps the id %s for itself',
  async (id) => {
    const { status, body } = await send('POST', '', app(id));
    expect([status, body.message]).toEqual([
      409,
      expect.stringMatching(/^APPLIB_CREATE_RESERVED /),
    ]);
  },
);

it.each([['isEnabled'], ['changeowner'], ['history'], ['undelete']])(
  'keeps the version %s for itself',
  async (version) => {
    const { status, body } = await send('POST', '', app('reserved', version));
    expect([status, body.message]).toEqual([
      409,
      expect.stringMatching(/^APPLIB_CREATE_VER_RESERVED /),
    ]);
  },
);
