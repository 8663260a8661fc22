import type { AppRecord, SystemRecord } from './records';
import { resolveJob } from './resolve-job';
import type { Submission } from './submission';

const app: AppRecord = {
  id: 'app', version: '1.0', enabled: true, versionEnabled: true, runtime: 'ZIP', containerImage: '/img.zip', jobType: 'FORK',
  jobAttributes: { tags: ['b', 'a'], execSystemId: 'host' },
}; // prettier-ignore
const system: SystemRecord = {
  id: 'host', systemType: 'LINUX', enabled: true, host: 'h', rootDir: '/home/u', effectiveUserId: 'u', canExec: true,
  jobWorkingDir: 'work', jobRuntimes: [{ runtimeType: 'ZIP' }],
}; // prettier-ignore
const batch: SystemRecord = {
  ...system, canRunBatch: true, batchScheduler: 'SLURM', batchDefaultLogicalQueue: 'q', mpiCmd: 'ibrun',
  batchLogicalQueues: [{ name: 'q', hpcQueueName: 'Q', maxNodeCount: 2, minCoresPerNode: 2, maxMemoryMB: 0 }],
}; // prettier-ignore
const created = new Date('2021-04-26T10:20:30.456Z');
const evaluate = (_: string, variable: string) =>
  Promise.resolve(variable === 'WORK' ? '/w' : undefined);

const submission = (given: Partial<Submission> = {}): Submission => ({
  tenant: 'dev', owner: 'me', uuid: 'u-007', created, app, execSystem: system, evaluate, ...given,
  request: { name: 'n', appId: 'app', appVersion: '1.0', ...given.request },
}); // prettier-ignore
const resolve = (request: object, given: Partial<Submission> = {}) =>
  resolveJob(submission({ ...given, request: { ...request } as never }));

describe('a small request', () => {
  it('gets every default', async () => {
    const job = await resolve({ tags: ['c', 'a'] });
    expect(job).toMatchObject({
      name: 'n', description: 'app-1.0 submitted by me@dev', jobType: 'FORK', archiveMode: 'ALWAYS', nodeCount: 1, coresPerNode: 1,
      memoryMB: 100, maxMinutes: 10, execSystemExecDir: '/work/jobs/u-007', execSystemInputDir: '/work/jobs/u-007',
      execSystemOutputDir: '/work/jobs/u-007/output', archiveSystemId: 'host', archiveSystemDir: '/work/jobs/u-007/output',
      execSystemLogicalQueue: null, dtnSystemId: null, tags: ['a', 'b', 'c'], notes: {}, mpi: false, sharedAppCtxAttribs: [],
    }); // prettier-ignore
    expect(job.definition.parameterSet.logConfig).toEqual({
      stdoutFilename: 'svcjob.out',
      stderrFilename: 'svcjob.out',
    });
  });

  it('gets the platform’s variables, directories as the job sees them', async () => {
    const variables = async (given: Partial<Submission>) =>
      Object.fromEntries(
        (await resolve({}, given)).definition.parameterSet.envVariables.map((e) => [
          e.key,
          e.value,
        ]),
      );
    const zip = await variables({});
    expect(zip).toMatchObject({
      _svcJobUUID: 'u-007', _svcExecSystemOutputDir: '/home/u/work/jobs/u-007/output', _svcJobWorkingDir: '/home/u/work',
      _svcJobCreateTimestamp: '2021-04-26T10:20:30.456Z', _svcJobCreateDate: '2021-04-26Z', _svcJobCreateTime: '10:20:30.456Z',
      _svcNodes: '1', _svcArchiveMode: 'ALWAYS', _svcStdoutFilename: 'svcjob.out', _svcSysRootDir: '/home/u',
    }); // prettier-ignore
    expect(zip).not.toHaveProperty('_svcExecSystemLogicalQueue');
    const docker = await variables({ app: { ...app, runtime: 'DOCKER' } });
    expect(docker).toMatchObject({
      _svcExecSystemOutputDir: '/SvcOutput',
      _svcJobWorkingDir: '/home/u/work',
    });
  });
});

describe('directories', () => {
  it.each([
    [{ archiveSystemId: 'store' }, '/jobs/u-007/archive'],
    [{ archiveSystemId: 'store', archiveSystemDir: 'HOST_EVAL($WORK)/${JobName}/' }, '/w/n'],
    [{ archiveSystemDir: '/x//y' }, '/x/y'],
    [{}, '/work/jobs/u-007/output'],
  ])('%j: the archive is in %s', async (request, expected) => {
    const archiveSystem = 'archiveSystemId' in request ? { ...system, id: 'store' } : undefined;
    const job = await resolve(request, { archiveSystem });
    expect([job.archiveSystemId, job.archiveSystemDir]).toEqual([
      archiveSystem ? 'store' : 'host',
      expected,
    ]);
  });

  it('may refer to one another, and the request’s win over the app’s', async () => {
    const jobAttributes = { execSystemExecDir: '/app', execSystemInputDir: '/in/${JobOwner}' };
    const job = await resolve(
      {
        execSystemExecDir: '${ExecSystemOutputDir}/exec',
        execSystemOutputDir: 'HOST_EVAL($NONE, /d)/out',
      },
      { app: { ...app, jobAttributes } },
    );
    expect([job.execSystemExecDir, job.execSystemInputDir]).toEqual(['/d/out/exec', '/in/me']);
  });

  it.each([
    ['/a\'b"c', '/a\'b"c'],
    ['$(touch x)/`y`', '/$(touch x)/`y`'],
    ['-rf', '/-rf'],
    ['%2e%2e/x', '/%2e%2e/x'],
    ['a//./b/', '/a/b'],
    ['...', '/...'],
    ['/', '/'],
  ])('%s is taken as it is', async (execSystemExecDir, expected) => {
    expect((await resolve({ execSystemExecDir })).execSystemExecDir).toBe(expected);
  });

  it.each([
    '..',
    'a/..',
    '/../etc',
    '${JobName}/x',
    'a\u0000b',
    'a\nb',
    'x/HOST_EVAL($A)',
    'HOST_EVAL($A;id)',
    '${Nope}',
    '${',
  ])('%j is refused wherever it stands', async (dir) => {
    for (const field of [
      'execSystemExecDir',
      'execSystemInputDir',
      'execSystemOutputDir',
      'archiveSystemDir',
    ]) {
      await expect(resolve({ name: '..', [field]: dir })).rejects.toThrow(
        /^JOBS_INVALID_DIRECTORY /,
      );
    }
  });

  it('of a transfer node are used when the system has one', async () => {
    const dtnSystem = { ...system, id: 'dtn' };
    const execSystem = { ...system, dtnSystemId: 'dtn' };
    const job = await resolve({ dtnSystemInputDir: 'x' }, { execSystem, dtnSystem });
    expect([job.dtnSystemId, job.dtnSystemInputDir, job.dtnSystemOutputDir]).toEqual([
      'dtn',
      '/x',
      null,
    ]);
    const without = await resolve({ dtnSystemInputDir: '!svc_not_set' }, { execSystem, dtnSystem });
    expect(without.dtnSystemId).toBeNull();
  });
});

describe('a batch job', () => {
  it('has a queue, and the app’s null leaves the type to the system', async () => {
    const job = await resolve(
      {
        coresPerNode: 2,
        isMpi: true,
        parameterSet: { schedulerOptions: [{ arg: '--svc-profile p' }] },
      },
      { execSystem: batch, app: { ...app, jobType: null } },
    );
    expect(job).toMatchObject({
      jobType: 'BATCH',
      execSystemLogicalQueue: 'q',
      remoteQueue: 'Q',
      mpiCmd: 'ibrun',
    });
    expect(job.definition.system.batchSchedulerProfile).toBe('p');
    expect(job.definition.parameterSet.envVariables).toContainEqual(
      expect.objectContaining({ key: '_svcExecSystemHPCQueue', value: 'Q' }),
    );
  });
});

describe('macros', () => {
  it('are replaced in texts, arguments and filters', async () => {
    const job = await resolve({
      name: 'run-${AppId}',
      description: 'by ${JobOwner} ${Unknown}',
      parameterSet: {
        appArgs: [{ arg: '${JobName} ${ExecSystemOutputDir} $HOME ${Mine}' }],
        archiveFilter: { includes: ['${JobUUID}/*'] },
        logConfig: { stdoutFilename: '${JobName}.out', stderrFilename: 'e' },
      },
    });
    expect(job.name).toBe('run-app');
    expect(job.description).toBe('by me ${Unknown}');
    const { appArgs, archiveFilter, logConfig } = job.definition.parameterSet;
    expect(appArgs[0]!.arg).toBe('run-app /home/u/work/jobs/u-007/output $HOME ${Mine}');
    expect(archiveFilter.includes).toEqual(['u-007/*']);
    expect(logConfig.stdoutFilename).toBe('run-app.out');
  });
});

describe('inputs', () => {
  it('put their envKey into the environment', async () => {
    const job = await resolve({
      fileInputs: [{ sourceUrl: 'svc://s/a', envKey: 'IN' }],
      fileInputArrays: [{ sourceUrls: ['svc://s/b'], targetDir: 'd', envKey: 'DIR' }],
    });
    expect(job.definition.fileInputs.map((i) => i.targetPath)).toEqual(['a', 'd/b']);
    expect(job.definition.parameterSet.envVariables.slice(-2)).toMatchObject([
      { key: 'DIR', value: 'd' },
      { key: 'IN', value: 'a' },
    ]);
  });
});

describe('what is refused', () => {
  it.each<[string, object, Partial<Submission>, string]>([
    ['disabled app', {}, { app: { ...app, versionEnabled: false } }, 'JOBS_APP_NOT_AVAILABLE'],
    ['disabled system', {}, { execSystem: { ...system, enabled: false } }, 'JOBS_SYSTEM_NOT_AVAILABLE'],
    ['no exec system', {}, { execSystem: { ...system, canExec: false } }, 'JOBS_INVALID_EXEC_SYSTEM'],
    ['no working dir', {}, { execSystem: { ...system, jobWorkingDir: null } }, 'JOBS_EXEC_SYSTEM_NO_WORKING_DIR'],
    ['no runtime', {}, { execSystem: { ...system, jobRuntimes: [] } }, 'JOBS_EXEC_SYSTEM_NO_RUNTIME'],
    ['batch where there is none', { jobType: 'BATCH' }, {}, 'JOBS_INVALID_JOBTYPE'],
    ['batch in a container', { jobType: 'BATCH', coresPerNode: 2 }, { execSystem: batch, app: { ...app, runtime: 'DOCKER' } }, 'JOBS_INVALID_JOBTYPE'],
    ['unknown queue', { jobType: 'BATCH', execSystemLogicalQueue: 'x' }, { execSystem: batch }, 'JOBS_INVALID_LOGICAL_QUEUE'],
    ['too many nodes', { jobType: 'BATCH', coresPerNode: 2, nodeCount: 3 }, { execSystem: batch }, 'JOBS_Q_EXCEEDED_MAX_NODES'],
    ['too few cores', { jobType: 'BATCH' }, { execSystem: batch }, 'JOBS_Q_MIN_CORES_ERROR'],
    ['no minute', { maxMinutes: 0 }, {}, 'JOBS_INVALID_SIZE'],
    ['mpi without command', { isMpi: true }, {}, 'JOBS_MISSING_MPI_CMD'],
    ['mpi and prefix', { isMpi: true, mpiCmd: 'm', cmdPrefix: 'p' }, { execSystem: { ...system, enableCmdPrefix: true } }, 'JOBS_MPI_CMD_CONFLICT'],
    ['prefix not allowed', { cmdPrefix: 'p' }, {}, 'JOBS_CMD_PREFIX_NOT_ENABLED_FOR_SYSTEM'],
    ['dynamic', { dynamicExecSystem: true }, {}, 'JOBS_DYNAMIC_NOT_SUPPORTED'],
    ['substitution', { parameterSet: { appArgs: [{ arg: '$(id)' }] } }, {}, 'JOBS_INVALID_ARG'],
    ['newline', { parameterSet: { appArgs: [{ arg: 'a\nb' }] } }, {}, 'JOBS_INVALID_ARG'],
    ['unbalanced', { parameterSet: { appArgs: [{ arg: "'" }] } }, {}, 'JOBS_INVALID_ARG'],
    ['container argument of a ZIP app', { parameterSet: { containerArgs: [{ arg: '--net' }] } }, {}, 'JOBS_CONTAINER_UNSUPPORTED_ARG'],
    ['zip save of a container', { parameterSet: { containerArgs: [{ arg: '--svc-zip-save' }] } }, { app: { ...app, runtime: 'DOCKER' } }, 'JOBS_CONTAINER_UNSUPPORTED_ARG'],
    ['half a log configuration', {}, { app: { ...app, jobAttributes: { parameterSet: { logConfig: { stdoutFilename: 'o' } } } } }, 'JOBS_INCOMPLETE_APP_LOGCONFIG'],
    ['log file elsewhere', { parameterSet: { logConfig: { stdoutFilename: '../o', stderrFilename: 'e' } } }, {}, 'JOBS_INVALID_LOG_FILENAME'],
    ['dir climbs', { execSystemExecDir: '/a/../b' }, {}, 'JOBS_INVALID_DIRECTORY'],
    ['dir cycle', { execSystemExecDir: '${ExecSystemInputDir}', execSystemInputDir: '${ExecSystemExecDir}' }, {}, 'JOBS_INVALID_DIRECTORY JOBS_INVALID_DIRECTORY'],
    ['no host value', { execSystemExecDir: 'HOST_EVAL($NONE)' }, {}, 'JOBS_INVALID_DIRECTORY'],
    ['big notes', { notes: { a: 'x'.repeat(65_536) } }, {}, 'JOBS_NOTES_TOO_LARGE'],
    ['envKey twice', { fileInputs: [{ sourceUrl: 'svc://s/a', envKey: 'A' }, { sourceUrl: 'svc://s/b', envKey: 'A' }] }, {}, 'JOBS_DUPLICATE_ENV_VAR'],
    ['envKey reserved', { fileInputs: [{ sourceUrl: 'svc://s/a', envKey: '_svcA' }] }, {}, 'JOBS_INVALID_INPUT_ENVKEY'],
    ['newline in the name', { name: 'a\nb' }, {}, 'JOBS_INVALID_CHARACTERS'],
    ['no profile name', { jobType: 'BATCH', coresPerNode: 2, parameterSet: { schedulerOptions: [{ arg: '--svc-profile' }] } }, { execSystem: batch }, 'JOBS_SCHEDULER_PROFILE_NO_NAME'],
    ['webhook address', { subscriptions: [{ jobEventCategoryFilter: 'ALL', deliveryTargets: [{ deliveryMethod: 'WEBHOOK', deliveryAddress: 'x' }] }] }, {}, 'JOBS_INVALID_SUBSCRIPTION'],
    ['no transfer node', { dtnSystemInputDir: '/x' }, {}, 'JOBS_INVALID_DTN_SYSTEM_ASSIGNMENT'],
    ['all at once', { maxMinutes: 0, cmdPrefix: 'p', fileInputs: [{}] }, {}, 'JOBS_CMD_PREFIX_NOT_ENABLED_FOR_SYSTEM JOBS_INVALID_SIZE JOBS_NO_SOURCE_URL'],
  ])('%s', async (_, request, given, codes) => {
    const error: Error = await resolve(request, given).catch((e: Error) => e) as Error;
    expect(error.message.match(/JOBS_\w+/g)!.join(' ')).toBe(codes);
  }); // prettier-ignore

  it('a host that is away hides no broken rule', async () => {
    const away = { evaluate: () => Promise.reject(new Error('away')) };
    const dir = { execSystemExecDir: 'HOST_EVAL($X)' };
    await expect(resolve(dir, away)).rejects.toThrow('away');
    await expect(resolve({ ...dir, maxMinutes: 0 }, away)).rejects.toThrow('JOBS_INVALID_SIZE');
  });
});

it('says what came from a shared app unchanged', async () => {
  const shared = { ...app, sharedAppCtx: 'grantor' };
  const job = await resolve({ execSystemOutputDir: '/mine' }, { app: shared });
  expect(job.sharedAppCtx).toBe('grantor');
  expect(job.sharedAppCtxAttribs).toEqual([
    'SAC_EXEC_SYSTEM_ID', 'SAC_EXEC_SYSTEM_EXEC_DIR', 'SAC_EXEC_SYSTEM_INPUT_DIR', 'SAC_ARCHIVE_SYSTEM_ID', 'SAC_ARCHIVE_SYSTEM_DIR',
  ]); // prettier-ignore
  expect((await resolve({ execSystemId: 'host' }, { app: shared })).sharedAppCtxAttribs).toEqual(
    [],
  );
});
