import { JobsApi, REQUEST } from './jobs-api';

let api: JobsApi;
beforeAll(async () => void (api = await JobsApi.start({ DIRECTORIES_WAIT_MS: '500' })));
afterAll(() => api?.close());

describe('a submission', () => {
  it('answers the whole job and keeps everything a worker needs', async () => {
    const { status, body, headers } = await api.as().post(
      '/submit',
      {
        ...REQUEST,
        archiveSystemId: 'store',
        tags: ['mine'],
        parameterSet: { appArgs: [{ arg: '-n 5' }] },
      },
      { 'X-Svc-Tracking-ID': 'test.1', 'X-Request-ID': 'r-1' },
    );
    expect([status, body.message]).toEqual([201, expect.stringMatching(/^JOBS_CREATED /)]);
    expect(headers['x-request-id']).toBe('r-1');
    const job = body.result;
    expect(job).toMatchObject({
      id: expect.any(Number), status: 'PENDING', condition: null, name: 'a job', owner: 'testuser1', tenant: 'dev',
      uuid: expect.stringMatching(/^[0-9a-f-]{36}-007$/), createdby: 'testuser1', createdbyTenant: 'dev', visible: true,
      description: 'app-1.0 submitted by testuser1@dev', archiveMode: 'ALWAYS', archiveOnAppError: true, dynamicExecSystem: false,
      execSystemExecDir: `/work/jobs/${job.uuid}`, execSystemOutputDir: `/work/jobs/${job.uuid}/output`,
      archiveSystemId: 'store', archiveSystemDir: `/jobs/${job.uuid}/archive`, tags: ['mine', 'of-app'], notes: {},
      nodeCount: 1, coresPerNode: 1, memoryMB: 100, maxMinutes: 10, jobType: 'FORK', ended: null, trackingId: 'test.1', requestId: 'r-1', traceparent: expect.stringMatching(/^00-/),
      svcQueue: 'svc.jobs.work', fileInputs: '[]', sharedAppCtx: '',
    }); // prettier-ignore
    expect(JSON.parse(job.parameterSet).appArgs).toMatchObject([{ arg: '-n 5' }]);
    expect(api.made.sort()).toEqual([
      `host:/work/jobs/${job.uuid}/output`,
      `store:/jobs/${job.uuid}/archive`,
    ]);
    const row = (await api.store.find('dev', job.uuid))!;
    expect(row).toMatchObject({
      requestId: 'r-1',
      trackingId: 'test.1',
      launch: { directoriesMade: true },
    });
    expect(row.traceparent).toMatch(/^00-/);
    expect(await api.store.claim(job.uuid, 'w', 1000)).toBeDefined();
  });

  it('asks apps, systems and files in the name of the owner', async () => {
    api.double.security.makeAdmin('dev', 'testadmin');
    await api.as('testadmin').submit({ owner: 'testuser2' });
    const asked = api.double.requests
      .filter((r) => /^\/v3\/(apps|systems|files)/.test(r.path))
      .slice(-3);
    expect(asked.map((r) => [r.headers['x-svc-user'], r.headers['x-svc-tenant']])).toEqual(
      Array(3).fill(['testuser2', 'dev']),
    );
    expect(asked[0]!.query).toEqual({ requireExecPerm: 'true' });
  });

  it('goes through while the host is away; the worker makes the directories then', async () => {
    api.hostAway = true;
    const uuid = await api.as().submit();
    api.hostAway = false;
    expect((await api.store.find('dev', uuid))!.launch).toBeNull();
  });

  it('asks the host for HOST_EVAL', async () => {
    const uuid = await api.as().submit({
      execSystemExecDir: 'HOST_EVAL($WORK)/x',
      execSystemInputDir: 'HOST_EVAL($NONE, /d)',
    });
    expect((await api.as().get(`/${uuid}`)).body.result).toMatchObject({
      execSystemExecDir: '/from-host/x',
      execSystemInputDir: '/d',
    });
  });

  it('with the same key is answered once, with another body refused', async () => {
    const key = { 'Idempotency-Key': 'k-1' };
    const [first, second] = await Promise.all(
      [1, 2].map(() => api.as().post('/submit', REQUEST, key)),
    );
    expect([first!.status, second!.status]).toEqual([201, 201]);
    expect(first!.body.result.uuid).toBe(second!.body.result.uuid);
    expect((await api.as().post('/submit', { ...REQUEST, name: 'other' }, key)).status).toBe(409);
  });
});

describe('a submission is refused', () => {
  const refused = async (request: object, user = 'testuser1') => {
    const { status, body } = await api.as(user).post('/submit', { ...REQUEST, ...request });
    expect(body).toMatchObject({ status: 'error' });
    return [status, body.message] as const;
  };
  const disabled = { enabled: false };

  it.each<[string, object, number, RegExp]>([
    ['unknown property', { nonsense: 1, parameterSet: { x: 1 } }, 400, /nonsense.*parameterSet\.x/],
    ['missing and wrong at once', { name: undefined, nodeCount: 'x', tags: [1] }, 400, /name.*nodeCount.*tags/],
    ['unknown app', { appId: 'nope' }, 404, /nope/],
    ['unknown system', { execSystemId: 'nope' }, 404, /nope/],
    ['another tenant', { tenant: 'other' }, 400, /^JOBS_MISMATCHED_TENANT /],
    ['another owner', { owner: 'testuser2' }, 403, /^SK_REQUESTOR_NOT_ADMIN /],
    ['not for jobs', { execSystemId: 'store' }, 400, /^JOBS_INVALID_EXEC_SYSTEM /],
    ['several rules', { maxMinutes: 1, cmdPrefix: 'x', fileInputs: [{ name: 'a' }] }, 400, /^JOBS_CMD_PREFIX_NOT_ENABLED_FOR_SYSTEM .*JOBS_NO_SOURCE_URL/],
    ['control character', { execSystemExecDir: 'a\nb' }, 400, /execSystemExecDir/],
    ['too many nodes for a number', { nodeCount: 1e12 }, 400, /nodeCount/],
  ])('%s', async (_, request, status, message) => {
    const [got, text] = await refused(request);
    expect(text).toMatch(message);
    expect(got).toBe(status);
  }); // prettier-ignore

  it('when app or system are disabled', async () => {
    Object.assign(api.apps, { off: { ...api.apps['app'], ...disabled } });
    Object.assign(api.systems, { off: { ...api.systems['host'], ...disabled } });
    expect(await refused({ appId: 'off', execSystemId: 'off' })).toEqual([
      400,
      expect.stringMatching(/^JOBS_APP_NOT_AVAILABLE .*JOBS_SYSTEM_NOT_AVAILABLE/),
    ]);
  });

  it('when the scheduler profile is unknown', async () => {
    const queue = { name: 'q', hpcQueueName: 'Q' };
    Object.assign(api.systems, {
      batch: {
        ...api.systems['host'],
        canRunBatch: true,
        batchDefaultLogicalQueue: 'q',
        batchLogicalQueues: [queue],
      },
    });
    const parameterSet = { schedulerOptions: [{ arg: '--svc-profile p' }] };
    expect(await refused({ jobType: 'BATCH', execSystemId: 'batch', parameterSet })).toEqual([
      404,
      expect.stringMatching(/^JOBS_SCHEDULER_PROFILE_NOT_FOUND /),
    ]);
  });

  it.each([['none', {}], ['of another tenant', { tenant: 'other' }], ['expired', { ttl: -10 }]])('token %s', async (_, spec) => {
    const { headers } = api.as('testuser1', 'dev');
    const token = api.double.userToken('testuser1', (spec as { tenant?: string }).tenant ?? 'dev', spec as never);
    const given = _ === 'none' ? '' : token;
    const answer = await api.as().post('/submit', REQUEST, { ...headers, 'X-Svc-Token': given });
    expect(answer.status).toBe(401);
  }); // prettier-ignore
});

describe('a resubmission', () => {
  it('sends the kept request again, as the caller, for a new job', async () => {
    const request = { ...REQUEST, name: 'again-${JobUUID}', notes: { a: 1 } };
    const uuid = await api.as().submit(request);
    const kept = await api.as().get(`/${uuid}/resubmit_request`);
    expect([kept.status, kept.body.result]).toEqual([200, request]);
    const again = await api.as().post(`/${uuid}/resubmit`);
    expect(again.status).toBe(201);
    expect(again.body.result.uuid).not.toBe(uuid);
    expect(again.body.result.name).toBe(`again-${again.body.result.uuid}`);
    expect((await api.as('testuser2').post(`/${uuid}/resubmit`)).status).toBe(404);
    expect((await api.as('testuser2').get(`/${uuid}/resubmit_request`)).status).toBe(404);
  });
});
