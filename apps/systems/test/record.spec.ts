import { platform } from '@libs/platform-name';
import { executing, linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
});
afterAll(() => service.stop());

const create = async (body: object) => {
  const { status, body: answer } = await service.send('POST', '', body);
  return { status, message: String(answer.message) };
};
const long = (n: number) => 'x'.repeat(n);

it('is refused for all its mistakes at once, each with its code', async () => {
  const { status, message } = await create({
    id: 'all-wrong',
    systemType: 'S3',
    host: 'a b',
    description: long(2049),
    mpiCmd: 'a\tb',
    canExec: true,
    port: 'many',
    jobEnvVariables: [{ key: `${platform().jobVariablePrefix}X` }],
    dtnSystemId: 'nowhere',
    canRunBatch: true,
    batchSchedulerProfile: 'nowhere',
    effectiveUserId: '${nobody}',
    authnCredential: { publicKey: 'half', loginUser: 'x' },
    unheardOf: 1,
  });
  expect(status).toBe(400);
  expect(message).toMatch(/^SYSLIB_CREATE_INVALID_ERRORLIST /);
  for (const part of [
    'SYSLIB_CREATE_MISSING_ATTR defaultAuthnMethod',
    'SYSLIB_TOO_LONG_ATTR description',
    'SYSLIB_CTL_CHR_ATTR mpiCmd',
    'SYSLIB_INVALID_STR_ATTR host',
    'SYSLIB_INVALID_STR_ATTR port',
    'SYSLIB_INVALID_STR_ATTR unheardOf',
    'SYSLIB_S3_NOBUCKET_INPUT',
    'SYSLIB_S3_CANEXEC_INPUT',
    'SYSLIB_CANEXEC_NO_JOBWORKINGDIR_INPUT',
    'SYSLIB_CANEXEC_NO_JOBRUNTIME_INPUT',
    'SYSLIB_ISBATCH_NOSCHED',
    'SYSLIB_ISBATCH_NOQUEUES',
    'SYSLIB_ISBATCH_NODEFAULTQ',
    'SYSLIB_DTN_NO_SYSTEM',
    'SYSLIB_PRF_NO_PROFILE',
    'SYSLIB_ENV_VAR_INVALID_PREFIX',
    'SYSLIB_INVALID_STR_ATTR effectiveUserId',
    'publicKey and privateKey',
    'SYSLIB_CRED_INVALID_LOGINUSER',
  ])
    expect(message).toContain(part);
});

it.each<[string, object]>([
  ['id', { id: long(80) }],
  ['description', { description: long(2048) }],
  ['owner', { owner: '' }],
  ['host', { host: long(256) }],
  ['effectiveUserId', { effectiveUserId: long(60) }],
  ['bucketName', { bucketName: long(63) }],
  ['rootDir', { rootDir: `/${long(4095)}` }],
  ['proxyHost', { proxyHost: long(256) }],
  ['mpiCmd', { mpiCmd: long(126) }],
  ['jobWorkingDir', { jobWorkingDir: long(4096) }],
  ['tags', { tags: [long(128)] }],
  ['a queue', { batchLogicalQueues: [{ name: long(128), hpcQueueName: long(128) }] }],
  ['a runtime', { jobRuntimes: [{ runtimeType: 'ZIP', version: long(128) }] }],
  [
    'a capability',
    {
      jobCapabilities: [{ category: 'OS', name: long(128), datatype: 'STRING', value: long(128) }],
    },
  ],
])('may be as long as this: %s', async (name, most) => {
  const id = name.replaceAll(' ', '-');
  expect(await create(linux(id, most))).toMatchObject({ status: 201 });
});

it.each<[string, object, string]>([
  ['id', { id: long(81) }, 'SYSLIB_TOO_LONG_ATTR id'],
  ['an id that begins oddly', { id: '.a' }, 'id'],
  ['host', { host: long(257) }, 'SYSLIB_TOO_LONG_ATTR host'],
  ['owner', { owner: long(61) }, 'SYSLIB_TOO_LONG_ATTR owner'],
  ['effectiveUserId', { effectiveUserId: long(61) }, 'SYSLIB_TOO_LONG_ATTR effectiveUserId'],
  ['no effectiveUserId', { effectiveUserId: ' ' }, 'effectiveUserId'],
  ['bucketName', { bucketName: long(64) }, 'SYSLIB_TOO_LONG_ATTR bucketName'],
  ['rootDir', { rootDir: `/${long(4096)}` }, 'SYSLIB_TOO_LONG_ATTR rootDir'],
  ['mpiCmd', { mpiCmd: '' }, 'mpiCmd'],
  ['jobWorkingDir', { jobWorkingDir: '' }, 'jobWorkingDir'],
  ['dtnSystemId', { dtnSystemId: long(81) }, 'SYSLIB_TOO_LONG_ATTR dtnSystemId'],
  ['port', { port: 65_536 }, 'port'],
  ['no runtimes', { jobRuntimes: [] }, 'jobRuntimes'],
  ['one runtime twice', { jobRuntimes: [{ runtimeType: 'ZIP' }, { runtimeType: 'ZIP' }] }, 'twice'],
  ['another runtime', { jobRuntimes: [{ runtimeType: 'PODMAN' }] }, 'runtimeType'],
  ['one tag twice', { tags: ['a', 'a'] }, 'twice'],
  ['an empty tag', { tags: [''] }, 'tags[0]'],
  [
    'one queue twice',
    {
      batchLogicalQueues: [
        { name: 'a', hpcQueueName: 'x' },
        { name: 'a', hpcQueueName: 'y' },
      ],
    },
    'twice',
  ],
  ['a queue without a name', { batchLogicalQueues: [{ hpcQueueName: 'x' }] }, 'name: is missing'],
  ['one variable twice', { jobEnvVariables: [{ key: 'A' }, { key: 'A' }] }, 'twice'],
  ['another scheduler', { batchScheduler: 'CRON' }, 'batchScheduler'],
  ['another category', { jobCapabilities: [{ category: 'X' }] }, 'category'],
  ['CERT', { defaultAuthnMethod: 'CERT' }, 'defaultAuthnMethod'],
  ['a control character in a value', { jobEnvVariables: [{ key: 'A', value: 'a\nb' }] }, 'CTL_CHR'],
  ['IRODS without a port', { systemType: 'IRODS', port: 0 }, 'SYSLIB_NOPORT'],
  [
    'IRODS that executes',
    { systemType: 'IRODS', port: 1, ...executing },
    'CANEXEC_INVALID_SYSTYPE',
  ],
  ['GLOBUS that executes', { systemType: 'GLOBUS', ...executing }, 'CANEXEC_INVALID_SYSTYPE'],
  ['only a shared prefix of owner', { effectiveUserId: 'x${owner}' }, 'effectiveUserId'],
  ['the tenant as login', { effectiveUserId: '${tenant}' }, 'effectiveUserId'],
])('is refused: %s', async (_, wrong, reason) => {
  const { status, message } = await create(linux('wrong', wrong));
  expect([status, message]).toEqual([400, expect.stringContaining(reason)]);
  expect(message).toMatch(/^SYSLIB_CREATE_INVALID_ERRORLIST /);
});

const withKey = { effectiveUserId: 'u', authnCredential: { password: 'p' } };
it.each<[string, object, string]>([
  ['HOST_EVAL($HOME', withKey, 'SYSLIB_HOST_EVAL_NO_MATCHES'],
  ['HOST_EVAL()', withKey, 'SYSLIB_HOST_EVAL_NO_ENV_VAR'],
  ['HOST_EVAL($)', withKey, 'SYSLIB_HOST_EVAL_NO_ENV_VAR'],
  ['HOST_EVAL($1A)', withKey, 'SYSLIB_HOST_EVAL_INVALID_ENV_VAR'],
  ['HOST_EVAL($A-B)', withKey, 'SYSLIB_HOST_EVAL_INVALID_ENV_VAR'],
  ['HOST_EVAL($A, b c)', withKey, 'SYSLIB_HOST_EVAL_NO_MATCHES'],
  ['/data/HOST_EVAL($A)', withKey, 'SYSLIB_ROOT_HOST_EVAL_MULTIPLE'],
  ['/HOST_EVAL($A)/HOST_EVAL($B)', withKey, 'SYSLIB_ROOT_HOST_EVAL_MULTIPLE'],
  ['HOST_EVAL($A)', { effectiveUserId: 'u' }, 'SYSLIB_ROOT_HOST_EVAL_CREDS'],
  ['HOST_EVAL($A)', {}, 'SYSLIB_ROOT_HOST_EVAL_EFFUSR'],
  [
    'HOST_EVAL($A)',
    { ...withKey, systemType: 'IRODS', port: 1247 },
    'SYSLIB_ROOT_HOST_EVAL_SYSTYPE',
  ],
])('has no rootDir such as %s with %j', async (rootDir, more, code) => {
  const body = linux('eval', { defaultAuthnMethod: 'PASSWORD', ...more, rootDir });
  expect(await create(body)).toEqual({ status: 400, message: expect.stringContaining(code) });
});

it('fills in what was left out', async () => {
  await service.made(
    linux('filled', {
      ...executing,
      jobRuntimes: [{ runtimeType: 'DOCKER' }],
      canRunBatch: true,
      batchScheduler: 'SLURM',
      batchLogicalQueues: [
        {
          name: 'q',
          hpcQueueName: 'h',
          maxJobs: -1,
          maxJobsPerUser: -5,
          schedulerOptions: [{ name: 'account', arg: '-A project' }],
        },
      ],
      jobEnvVariables: [
        { key: 'PLAIN' },
        { key: 'ASKED', inputMode: 'REQUIRED' },
        { key: 'EMPTY', inputMode: 'FIXED', value: '' },
      ],
      jobCapabilities: [{ category: 'OS', name: 'linux', datatype: 'STRING' }],
    }),
  );
  expect(await service.result('/filled')).toMatchObject({
    jobRuntimes: [{ runtimeType: 'DOCKER', version: null }],
    batchDefaultLogicalQueue: 'q',
    batchLogicalQueues: [
      {
        maxJobs: 2147483647,
        maxJobsPerUser: 2147483647,
        minNodeCount: 1,
        minMinutes: 0,
        schedulerOptions: [{ name: 'account', arg: '-A project' }],
      },
    ],
    jobEnvVariables: [
      { key: 'PLAIN', value: '', inputMode: 'INCLUDE_BY_DEFAULT', notes: {} },
      { key: 'ASKED', value: platform().unset, inputMode: 'REQUIRED' },
      { key: 'EMPTY', value: '', inputMode: 'FIXED' },
    ],
    jobCapabilities: [{ precedence: 100 }],
  });
});

it('that was fetched can be put back, but not be created from (ruling 60)', async () => {
  const fetched = await service.result('/filled');
  const put = await service.send('PUT', '/filled', fetched);
  expect([put.status, put.body.message]).toEqual([200, expect.any(String)]);
  const { updated, ...kept } = fetched;
  expect(updated).toBeDefined();
  expect(await service.result('/filled')).toMatchObject(kept);
  const { status, message } = await create({ ...fetched, id: 'copy' });
  expect(status).toBe(400);
  for (const name of ['tenant', 'uuid', 'deleted', 'created', 'updated', 'isPublic', 'parentId'])
    expect(message).toContain(`${name}: is not a known property`);
});

it('takes nulls as left out, when it is created, patched and put', async () => {
  const nothing = {
    description: null,
    port: null,
    tags: null,
    mpiCmd: null,
    authnCredential: null,
  };
  await service.made(linux('nulls', { ...nothing, owner: null, effectiveUserId: null }));
  const found = await service.result('/nulls');
  expect(found).toMatchObject({ port: -1, tags: [], owner: 'testuser1' });
  const patch = { defaultAuthnMethod: null, port: 22 };
  expect((await service.send('PATCH', '/nulls', patch)).status).toBe(200);
  const put = { ...found, ...nothing };
  expect((await service.send('PUT', '/nulls', put)).status).toBe(200);
});

it('is looked at by itself first, so that a bad body tells a stranger nothing', async () => {
  for (const method of ['PATCH', 'PUT'])
    for (const id of ['filled', 'not-there-at-all']) {
      const send = (body: object) => service.send(method, `/${id}`, body, service.as('stranger'));
      expect((await send({ nosuch: 1 })).status).toBe(400);
      const good = { host: 'h', defaultAuthnMethod: 'PASSWORD' };
      expect((await send(good)).status).toBe(404);
    }
});
