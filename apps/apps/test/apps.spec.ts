import { app, AppsService } from './apps-service';

let service: AppsService;
beforeAll(async () => {
  service = await AppsService.start();
});
afterAll(() => service.stop());

describe('a version', () => {
  it('is created with defaults and answered whole', async () => {
    const made = await service.send(
      'POST',
      '',
      app('whole', '1.0', { jobAttributes: { execSystemId: 'exec', archiveOnAppError: false } }),
    );
    expect(made.status).toBe(201);
    expect(made.body.result.url).toMatch(/\/v3\/apps\/whole$/);
    const { body, headers } = await service.send('GET', '/whole/1.0');
    expect(headers['etag']).toBeTruthy();
    expect(body.result).toMatchObject({
      tenant: 'dev',
      id: 'whole',
      version: '1.0',
      owner: 'testuser1',
      enabled: true,
      versionEnabled: true,
      locked: false,
      runtime: 'DOCKER',
      runtimeOptions: ['NONE'],
      jobType: 'FORK',
      maxJobs: -1,
      isPublic: false,
      sharedWithUsers: [],
      sharedAppCtx: null,
      jobAttributes: {
        nodeCount: 1,
        memoryMB: 100,
        maxMinutes: 10,
        archiveMode: 'SKIP_ON_FAIL',
        parameterSet: { archiveFilter: { includeLaunchFiles: true } },
      },
    });
  });

  it('is the one created last when none is named', async () => {
    await service.send('POST', '', app('many', '2.0'));
    await service.send('POST', '', app('many', '1.0', { description: 'the newest' }));
    expect((await service.send('GET', '/many')).body.result.version).toBe('1.0');
    expect((await service.send('GET', '/many/2.0')).body.result.description).toBeUndefined();
  });

  it('exists once, whoever is first', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.send('POST', '', app('once'))),
    );
    const statuses = answers.map((a) => a.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('is made once for one Idempotency-Key', async () => {
    const headers = { ...service.as('testuser1'), 'idempotency-key': 'k1' };
    const first = await service.send('POST', '', app('idem'), headers);
    const again = await service.send('POST', '', app('idem'), headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.result).toEqual(first.body.result);
    expect((await service.send('POST', '', app('idem', '2.0'), headers)).status).toBe(409);
  });

  it('is never changed while it is locked', async () => {
    await service.send('POST', '', app('lockable'));
    expect((await service.send('POST', '/lockable/1.0/lock')).body.result).toEqual({ changes: 1 });
    const refused = await service.send('PATCH', '/lockable/1.0', { description: 'x' });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toMatch(/^APPLIB_UNAUTH_LOCKED /);
    await service.send('POST', '/lockable/1.0/unlock');
    expect((await service.send('PATCH', '/lockable/1.0', { description: 'x' })).status).toBe(200);
  });

  it('may be fetched and put back', async () => {
    const jobAttributes = {
      execSystemId: 'exec',
      parameterSet: { appArgs: [{ name: 'a', arg: '-x' }] },
    };
    await service.send('POST', '', app('echo', '1.0', { jobAttributes, tags: ['t'] }));
    const { updated, ...fetched } = (await service.send('GET', '/echo/1.0')).body.result;
    const put = await service.send('PUT', '/echo/1.0', { ...fetched, updated });
    expect([put.status, put.body.message]).toEqual([200, expect.any(String)]);
    expect((await service.send('GET', '/echo/1.0')).body.result).toMatchObject(fetched);
  });

  it('is patched field by field inside jobAttributes', async () => {
    const jobAttributes = {
      execSystemExecDir: '/a',
      parameterSet: { appArgs: [{ name: 'n', arg: '1' }], archiveFilter: { excludes: ['*.tmp'] } },
    };
    await service.send('POST', '', app('patched', '1.0', { jobAttributes }));
    await service.send('PATCH', '/patched/1.0', {
      jobAttributes: { nodeCount: 2, parameterSet: { archiveFilter: { includes: ['*.txt'] } } },
    });
    const { jobAttributes: now } = (await service.send('GET', '/patched/1.0')).body.result;
    expect(now).toMatchObject({
      execSystemExecDir: '/a',
      nodeCount: 2,
      parameterSet: {
        appArgs: [{ name: 'n', arg: '1' }],
        archiveFilter: { includes: ['*.txt'], excludes: ['*.tmp'] },
      },
    });
  });

  it('is not changed when If-Match names an older one', async () => {
    await service.send('POST', '', app('tagged'));
    const { etag } = (await service.send('GET', '/tagged/1.0')).headers;
    const match = { ...service.as('testuser1'), 'if-match': String(etag) };
    expect(
      (await service.send('PATCH', '/tagged/1.0', { description: 'first' }, match)).status,
    ).toBe(200);
    expect(
      (await service.send('PATCH', '/tagged/1.0', { description: 'second' }, match)).status,
    ).toBe(412);
  });
});

describe('bad input', () => {
  it('is answered with all that is wrong at once', async () => {
    const body = {
      ...app('-bad'),
      runtime: 'VM',
      nodeCount: 3,
      jobAttributes: { nodeCount: 'two' },
    };
    const { status, body: answer } = await service.send('POST', '', body);
    expect(status).toBe(400);
    for (const name of ['id', 'runtime', 'nodeCount', 'jobAttributes.nodeCount'])
      expect(answer.message).toContain(name);
  });

  it.each<[string, object, string]>([
    [
      'archiveSystemId without its directory',
      { jobAttributes: { archiveSystemId: 'store' } },
      'APPLIB_ARCHIVE_NODIR',
    ],
    [
      'dynamic selection',
      { jobAttributes: { dynamicExecSystem: true } },
      'APPLIB_DYNAMIC_NOCONSTRAINTS',
    ],
    [
      'a ZIP image that is no path',
      { runtime: 'ZIP', containerImage: 'image.zip' },
      'APPLIB_INVALID_CONTAINERIZED_ZIP_IMAGE',
    ],
    [
      'an unknown execution system',
      { jobAttributes: { execSystemId: 'none' } },
      'APPLIB_EXECSYS_NO_SYSTEM',
    ],
    [
      'a system that runs no jobs',
      { jobAttributes: { execSystemId: 'store' } },
      'APPLIB_EXECSYS_NOT_EXEC',
    ],
    [
      'an unknown queue',
      { jobType: 'BATCH', jobAttributes: { execSystemId: 'exec', execSystemLogicalQueue: 'x' } },
      'APPLIB_EXECQ_NOT_FOUND',
    ],
    [
      'more minutes than the queue has',
      {
        jobType: 'BATCH',
        jobAttributes: { execSystemId: 'exec', execSystemLogicalQueue: 'short', maxMinutes: 90 },
      },
      'APPLIB_EXECQ_LIMIT_HIGH',
    ],
    [
      'a variable of the platform',
      { jobAttributes: { parameterSet: { envVariables: [{ key: '_svcX' }] } } },
      'APPLIB_ENV_VAR_INVALID_PREFIX',
    ],
    [
      'an input that is no URL',
      { jobAttributes: { fileInputs: [{ name: 'a', sourceUrl: 'ftp://x/y' }] } },
      'APPLIB_INVALID_FILEINPUT_SOURCEURL',
    ],
    [
      'svclocal in an array',
      {
        jobAttributes: { fileInputArrays: [{ name: 'a', sourceUrls: ['svclocal://exec.svc/y'] }] },
      },
      'APPLIB_INVALID_FILEINPUTARRAY_SOURCEURL',
    ],
    [
      'one name for a variable and an input',
      {
        jobAttributes: {
          parameterSet: { envVariables: [{ key: 'K' }] },
          fileInputs: [{ name: 'a', envKey: 'K' }],
        },
      },
      'APPLIB_INVALID_FILEINPUT_ENVKEY_COLLISION',
    ],
  ])('refuses %s', async (_, more, code) => {
    const { status, body } = await service.send('POST', '', app('broken', '1.0', more));
    expect(status).toBe(400);
    expect(body.message).toContain(code);
    expect((await service.send('GET', '/broken')).status).toBe(404);
  });

  it.each(['search', 'Perms', 'healthcheck'])('keeps the id %s for itself', async (id) => {
    expect((await service.send('POST', '', app(id))).status).toBe(409);
  });
});

describe('access', () => {
  beforeAll(async () => {
    await service.send('POST', '', app('mine'));
    service.double.security.makeAdmin('dev', 'testadmin');
    service.double.security.grant('dev', 'reader', 'app:dev:READ:mine');
    service.double.security.grant('dev', 'editor', 'app:dev:MODIFY:mine');
  });

  it.each<[string, string, number, number, number]>([
    ['the owner', 'testuser1', 200, 200, 200],
    ['the tenant admin', 'testadmin', 200, 200, 200],
    ['a reader', 'reader', 200, 403, 403],
    ['an editor', 'editor', 200, 200, 403],
    ['a stranger', 'stranger', 404, 404, 404],
  ])('%s', async (_, user, read, change, disable) => {
    const headers = service.as(user);
    expect((await service.send('GET', '/mine', undefined, headers)).status).toBe(read);
    expect((await service.send('PATCH', '/mine/1.0', { description: user }, headers)).status).toBe(
      change,
    );
    expect((await service.send('POST', '/mine/disable', undefined, headers)).status).toBe(disable);
    await service.send('POST', '/mine/enable');
  });

  it('of another tenant ends before the app: the token is not one for this host', async () => {
    const headers = { ...service.as('testuser1', 'other'), host: service.as('x')['host']! };
    expect((await service.send('GET', '/mine', undefined, headers)).status).toBe(401);
    expect(
      (await service.send('GET', '/mine', undefined, service.as('testuser1', 'other'))).status,
    ).toBe(404);
  });

  it('to add a version needs MODIFY; nobody adds one to a foreign app', async () => {
    expect(
      (await service.send('POST', '', app('mine', '9.0'), service.as('stranger'))).status,
    ).toBe(403);
    expect((await service.send('POST', '', app('mine', '9.0'), service.as('reader'))).status).toBe(
      403,
    );
    expect((await service.send('POST', '', app('mine', '9.0'), service.as('editor'))).status).toBe(
      201,
    );
    expect((await service.send('GET', '/mine')).body.result.owner).toBe('testuser1');
  });

  it('by a share names whose app it is', async () => {
    await service.send('POST', '/share/mine', { users: ['guest'] });
    const { status, body } = await service.send('GET', '/mine', undefined, service.as('guest'));
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ sharedAppCtx: 'testuser1', sharedWithUsers: ['guest'] });
  });
});

describe('lists', () => {
  beforeAll(async () => {
    const as = service.as('lister');
    for (const [id, version, more] of [
      ['list-a', '1.0', { tags: ['x'], jobAttributes: { execSystemId: 'exec', nodeCount: 4 } }],
      ['list-b', '1.0', { tags: ['y'] }],
      ['list-b', '2.0', { tags: ['x', 'y'], description: 'second' }],
    ] as [string, string, object][]) {
      await service.send('POST', '', app(id, version, more), as);
    }
  });
  const list = async (query: string) => {
    const { status, body } = await service.send('GET', query, undefined, service.as('lister'));
    expect(status).toBe(200);
    return body;
  };
  const names = (body: { result: { id: string; version: string }[] }) =>
    body.result.map((r) => `${r.id} ${r.version}`);

  it("show the latest version of one's own apps, in summary", async () => {
    const body = await list('?orderBy=id&computeTotal=true');
    expect(body.result).toEqual([
      { id: 'list-a', version: '1.0', owner: 'lister' },
      { id: 'list-b', version: '2.0', owner: 'lister' },
    ]);
    expect(body.metadata).toMatchObject({ recordCount: 2, totalCount: 2, recordLimit: -1 });
  });

  it('search every version once a version is asked for', async () => {
    expect(names(await list('?search=(version.like.*)&orderBy=version'))).toEqual([
      'list-a 1.0',
      'list-b 1.0',
      'list-b 2.0',
    ]);
  });

  it('find scalars of jobAttributes, tags and text', async () => {
    expect(names(await list('/search?execSystemId.eq=exec&nodeCount.gt=3'))).toEqual([
      'list-a 1.0',
    ]);
    expect(names(await list('/search?tags.contains=x&orderBy=id'))).toEqual([
      'list-a 1.0',
      'list-b 2.0',
    ]);
    const body = { search: ["description = 'second'", "AND owner = 'lister'"] };
    const found = await service.send('POST', '/search', body, service.as('lister'));
    expect(names(found.body)).toEqual(['list-b 2.0']);
  });

  it('page by limit and startAfter', async () => {
    const { headers, body } = await service.send(
      'GET',
      '?orderBy=id&limit=1',
      undefined,
      service.as('lister'),
    );
    expect(names(body)).toEqual(['list-a 1.0']);
    expect(String(headers['link'])).toContain('rel="next"');
    expect(names(await list('?orderBy=id&limit=1&startAfter=list-a'))).toEqual(['list-b 2.0']);
  });

  it('refuse what is not known with 400', async () => {
    for (const query of [
      '?listType=X',
      '?orderBy=nope',
      '?search=(nope.eq.1)',
      '?limit=a',
      '?wrong=1',
    ]) {
      expect((await service.send('GET', query, undefined, service.as('lister'))).status).toBe(400);
    }
  });
});

it('a deleted app is gone with all versions until it is undeleted, and its history tells', async () => {
  await service.send('POST', '', app('gone'));
  expect((await service.send('POST', '/gone/delete')).body.result).toEqual({ changes: 1 });
  expect((await service.send('GET', '/gone/1.0')).status).toBe(404);
  const again = await service.send('POST', '', app('gone', '2.0'));
  expect([again.status, again.body.message.split(' ')[0]]).toEqual([400, 'APPLIB_APP_DELETED']);
  expect((await service.send('POST', '/gone/undelete')).body.result).toEqual({ changes: 1 });
  expect((await service.send('POST', '/gone/undelete')).body.result).toEqual({ changes: 0 });
  const { result } = (await service.send('GET', '/gone/history')).body;
  expect(result.map((h: { operation: string }) => h.operation)).toEqual([
    'create',
    'delete',
    'undelete',
  ]);
});
