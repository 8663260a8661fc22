import { app, AppsService } from './apps-service';

let service: AppsService;
beforeAll(async () => {
  service = await AppsService.start();
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown, user = 'testuser1') =>
  service.send(method, path, body, service.as(user));
const status = async (...call: Parameters<typeof send>) => (await send(...call)).status;
const result = async (...call: Parameters<typeof send>) => (await send(...call)).body.result;

describe('the owner of an app', () => {
  it('hands it over in all its versions; grants stay', async () => {
    for (const version of ['1.0', '2.0']) await send('POST', '', app('handed', version));
    await send('POST', '/perms/handed/user/reader', { permissions: ['READ'] });
    expect(await result('POST', '/handed/changeOwner/testuser1')).toEqual({ changes: 0 });
    expect(await result('POST', '/handed/changeOwner/heir')).toEqual({ changes: 1 });
    for (const version of ['1.0', '2.0'])
      expect((await result('GET', `/handed/${version}`, undefined, 'heir')).owner).toBe('heir');
    expect(await status('GET', '/handed')).toBe(404);
    expect(await status('GET', '/handed', undefined, 'reader')).toBe(200);
    const last = (await result('GET', '/handed/history', undefined, 'heir')).pop();
    expect(last).toMatchObject({
      operation: 'changeOwner',
      appVersion: null,
      oboUser: 'testuser1',
      description: { App: 'handed', owner: { oldValue: 'testuser1', newValue: 'heir' } },
    });
  });

  it('does not hand it to nobody', async () => {
    await send('POST', '', app('kept'));
    const { status: refused, body } = await send('POST', '/kept/changeOwner/nobody');
    expect([refused, body.message]).toEqual([400, expect.stringContaining('no user "nobody"')]);
    expect(await status('GET', '/kept')).toBe(200);
    expect(await status('POST', '/kept/changeOwner/heir', undefined, 'boss')).toBe(200);
  });

  it('is the caller; only tenant admins name another one', async () => {
    const other = { ...app('named'), owner: 'somebody' };
    const refused = await send('POST', '', other);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringMatching(/^APPLIB_UNAUTH /),
    ]);
    expect(await status('POST', '', other, 'boss')).toBe(201);
    expect((await result('GET', '/named', undefined, 'somebody')).owner).toBe('somebody');
    expect(await status('POST', '', { ...app('mine'), owner: '${apiUserId}' })).toBe(201);
  });
});

describe('a further version', () => {
  it('takes what is said of the app from the app', async () => {
    await send('POST', '', app('again', '1.0', { enabled: false }));
    await send('POST', '', app('again', '2.0', { enabled: true }), 'boss');
    expect(await result('GET', '/again')).toMatchObject({
      version: '2.0',
      owner: 'testuser1',
      enabled: false,
    });
  });

  it('is shared as the others are', async () => {
    await send('POST', '', app('spread', '1.0'));
    await send('POST', '/share/spread', { users: ['guest'] });
    await send('POST', '', app('spread', '2.0'));
    expect(await result('GET', '/spread', undefined, 'guest')).toMatchObject({
      version: '2.0',
      sharedWithUsers: ['guest'],
      sharedAppCtx: 'testuser1',
    });
  });

  it('does not touch the other versions', async () => {
    await send('POST', '', app('still', '1.0'));
    const { updated } = await result('GET', '/still/1.0');
    await send('POST', '', app('still', '2.0'));
    expect((await result('GET', '/still/1.0')).updated).toBe(updated);
  });
});

describe('availability', () => {
  it('is that of the app, and with a version also of the version', async () => {
    await send('POST', '', app('avail', '1.0'));
    await send('POST', '', app('avail', '2.0'));
    const is = async (query = '') => (await result('GET', `/avail/isEnabled${query}`)).aBool;
    expect([await is(), await is('?version=1.0')]).toEqual([true, true]);
    expect(await result('POST', '/avail/1.0/disable')).toEqual({ changes: 1 });
    expect([await is(), await is('?version=1.0'), await is('?version=2.0')]).toEqual([
      true,
      false,
      true,
    ]);
    await send('POST', '/avail/1.0/enable');
    await send('POST', '/avail/disable');
    expect([await is(), await is('?version=1.0')]).toEqual([false, false]);
    expect(await status('GET', '/avail/isEnabled?version=3.0')).toBe(404);
    expect(await result('POST', '/avail/enable')).toEqual({ changes: 1 });
    expect(await result('POST', '/avail/enable')).toEqual({ changes: 1 });
  });
});

describe('a locked version', () => {
  it('is refused to whoever may see it, whatever else they may do', async () => {
    await send('POST', '', app('shut', '1.0', { locked: true }));
    await send('POST', '/perms/shut/user/reader', { permissions: ['READ'] });
    for (const user of ['testuser1', 'reader', 'boss'])
      for (const [method, body] of [
        ['PATCH', { description: 'x' }],
        ['PUT', { containerImage: 'x' }],
      ] as const) {
        const { status: refused, body: answer } = await send(method, '/shut/1.0', body, user);
        expect([refused, answer.message]).toEqual([
          403,
          expect.stringMatching(/^APPLIB_UNAUTH_LOCKED /),
        ]);
      }
    expect(await status('PATCH', '/shut/1.0', { description: 'x' }, 'stranger')).toBe(404);
    expect(await status('POST', '/shut/1.0/disable')).toBe(200);
    expect(await status('POST', '', app('shut', '2.0'))).toBe(201);
    expect(await status('POST', '/shut/delete')).toBe(200);
  });
});

describe('a change', () => {
  const whole = {
    description: 'before',
    tags: ['a', 'b'],
    jobAttributes: {
      execSystemId: 'exec',
      archiveOnAppError: false,
      cmdPrefix: 'nice',
      parameterSet: {
        appArgs: [{ name: 'a', arg: '1' }],
        archiveFilter: { excludes: ['*.tmp'] },
        logConfig: { stdoutFilename: 'o', stderrFilename: 'e' },
      },
    },
  };

  it('by PATCH touches what it names; null and absence leave things as they are', async () => {
    await send('POST', '', app('patched', '1.0', whole));
    const before = await result('GET', '/patched/1.0');
    const patch = {
      tags: ['c'],
      description: null,
      jobAttributes: {
        nodeCount: 2,
        parameterSet: { logConfig: { stderrFilename: 'x' }, appArgs: null },
      },
    };
    expect(await status('PATCH', '/patched/1.0', patch)).toBe(200);
    const { updated, ...after } = await result('GET', '/patched/1.0');
    const { updated: _, ...rest } = before;
    const { parameterSet } = before.jobAttributes;
    expect(updated >= before.updated).toBe(true);
    expect(after).toEqual({
      ...rest,
      tags: ['c'],
      jobAttributes: {
        ...before.jobAttributes,
        nodeCount: 2,
        parameterSet: { ...parameterSet, logConfig: { stdoutFilename: 'o', stderrFilename: 'x' } },
      },
    });
  });

  it('by PATCH of the older word for what is archived counts as the newer one', async () => {
    await send('POST', '', app('modes', '1.0'));
    const mode = async (jobAttributes: object) => {
      await send('PATCH', '/modes/1.0', { jobAttributes });
      const now = (await result('GET', '/modes/1.0')).jobAttributes;
      return [now.archiveMode, now.archiveOnAppError];
    };
    expect(await mode({ archiveOnAppError: false })).toEqual(['SKIP_ON_FAIL', false]);
    expect(await mode({ nodeCount: 2 })).toEqual(['SKIP_ON_FAIL', false]);
    expect(await mode({ archiveMode: 'NEVER' })).toEqual(['NEVER', false]);
    expect(await mode({ archiveOnAppError: true })).toEqual(['ALWAYS', true]);
  });

  it('by PATCH of half a log configuration is refused', async () => {
    await send('POST', '', app('half'));
    const jobAttributes = { parameterSet: { logConfig: { stdoutFilename: 'o' } } };
    const { status: refused, body } = await send('PATCH', '/half/1.0', { jobAttributes });
    expect([refused, body.message]).toEqual([400, expect.stringContaining('APPLIB_LOG_CONFIG')]);
  });

  it.each(['id', 'version', 'owner', 'enabled', 'locked', 'versionEnabled', 'uuid', 'deleted'])(
    'by PATCH of %s is refused',
    async (name) => {
      await send('POST', '', app('fixed'));
      const { status: refused, body } = await send('PATCH', '/fixed/1.0', { [name]: 'x' });
      expect([refused, body.message]).toEqual([
        400,
        expect.stringContaining(`${name}: is not a known`),
      ]);
    },
  );

  it('by PUT of what was fetched changes nothing, nulls included', async () => {
    await send('POST', '', app('echo', '1.0', whole));
    const { updated: _, ...fetched } = await result('GET', '/echo/1.0');
    const nulled = { ...fetched, runtimeVersion: null, sharedAppCtx: null };
    nulled.jobAttributes = { ...fetched.jobAttributes, mpiCmd: null, archiveSystemId: null };
    expect(await status('PUT', '/echo/1.0', nulled)).toBe(200);
    const { updated: __, ...after } = await result('GET', '/echo/1.0');
    expect({ ...after, jobAttributes: { ...after.jobAttributes, mpiCmd: undefined } }).toEqual({
      ...fetched,
      jobAttributes: { ...fetched.jobAttributes, mpiCmd: undefined },
    });
  });

  it('by PUT replaces what may be changed and nothing else', async () => {
    await send('POST', '', app('put', '1.0', { ...whole, enabled: false, versionEnabled: false }));
    const body = { containerImage: 'new', owner: 'somebody', locked: true, enabled: true };
    expect(await status('PUT', '/put/1.0', body)).toBe(200);
    const after = await result('GET', '/put/1.0');
    expect(after).toMatchObject({
      containerImage: 'new',
      tags: [],
      owner: 'testuser1',
      locked: false,
      enabled: false,
      versionEnabled: false,
      jobAttributes: { archiveMode: 'ALWAYS', nodeCount: 1 },
    });
    expect([after.description, after.jobAttributes.execSystemId]).toEqual([undefined, undefined]);
  });
});

it('a deleted app takes its grants and shares along, and can be brought back', async () => {
  for (const version of ['1.0', '2.0']) await send('POST', '', app('gone', version));
  await send('POST', '/perms/gone/user/reader', { permissions: ['MODIFY'] });
  await send('POST', '/share/gone', { users: ['guest'] });
  expect(await result('POST', '/gone/delete')).toEqual({ changes: 1 });
  expect(await result('POST', '/gone/delete')).toEqual({ changes: 1 });
  for (const path of ['/gone', '/gone/1.0', '/gone/isEnabled', '/share/gone'])
    expect(await status('GET', path)).toBe(404);
  for (const path of ['/gone/enable', '/gone/2.0/lock', '/gone/changeOwner/heir'])
    expect(await status('POST', path)).toBe(404);
  expect(await status('PATCH', '/gone/1.0', { description: 'x' })).toBe(404);
  expect(await status('GET', '/gone/history')).toBe(200);
  expect((await send('POST', '', app('gone', '3.0'))).body.message).toMatch(/^APPLIB_APP_DELETED /);
  // left over from a deletion that was cut off
  service.double.security.grant('dev', 'late', 'app:dev:READ:gone');
  expect(await result('POST', '/gone/undelete')).toEqual({ changes: 1 });
  expect(await result('POST', '/gone/undelete')).toEqual({ changes: 0 });
  expect(await status('GET', '/gone/1.0')).toBe(200);
  for (const user of ['reader', 'guest', 'late'])
    expect(await status('GET', '/gone', undefined, user)).toBe(404);
  expect((await result('GET', '/gone')).sharedWithUsers).toEqual([]);
});

describe('other eyes', () => {
  beforeAll(() => send('POST', '', app('seen')));
  const as = (name: string, query: string, user = 'stranger', tenant = 'dev') =>
    service.send('GET', `/seen${query}`, undefined, {
      ...service.double.asService(name, user, tenant),
      host: new URL(service.double.url).host,
    });

  it('are lent to the service that runs jobs and to tenant admins', async () => {
    expect((await as('jobs', '?impersonationId=testuser1')).status).toBe(200);
    expect((await as('files', '?impersonationId=testuser1')).status).toBe(403);
    expect(await status('GET', '/seen?impersonationId=testuser1', undefined, 'boss')).toBe(200);
    expect(await status('GET', '/seen?impersonationId=stranger', undefined, 'boss')).toBe(404);
    expect(await status('GET', '/seen?impersonationId=boss', undefined, 'stranger')).toBe(403);
  });

  it('of another tenant belong to the service that runs jobs, in its own name', async () => {
    expect((await as('jobs', '?resourceTenant=dev', 'jobs', 'admin')).status).toBe(200);
    expect((await as('files', '?resourceTenant=dev', 'files', 'admin')).status).toBe(403);
    expect((await as('jobs', '?resourceTenant=dev', 'stranger')).status).toBe(403);
    expect(await status('GET', '/seen?resourceTenant=dev')).toBe(403);
  });
});
