import { executing, linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown, user = 'testuser1') =>
  service.send(method, path, body, service.as(user));
const answer = async (...args: Parameters<typeof send>) => {
  const { status, body } = await send(...args);
  return [status, body.message];
};
const holding = (code: string) => expect.stringContaining(code);

describe('a data transfer node', () => {
  beforeAll(async () => {
    await service.made(linux('dtn', { rootDir: '/shared' }));
    await service.made(linux('cluster', { ...executing, rootDir: '/shared', dtnSystemId: 'dtn' }));
    await service.made(linux('elsewhere', { rootDir: '/else' }));
    await service.made(linux('private', { rootDir: '/shared' }), 'testuser2');
  });

  it.each([
    ['nowhere', 'SYSLIB_DTN_NO_SYSTEM'],
    ['private', 'SYSLIB_DTN_NO_SYSTEM'],
    ['elsewhere', 'SYSLIB_DTN_ROOTDIR_MISMATCH'],
  ])('is looked at when it is created, patched and put: %s', async (dtnSystemId, code) => {
    const body = linux('other', { ...executing, rootDir: '/shared', dtnSystemId });
    expect(await answer('POST', '', body)).toEqual([400, holding(code)]);
    expect(await answer('PATCH', '/cluster', { dtnSystemId })).toEqual([400, holding(code)]);
    const put = { ...(await service.result('/cluster')), dtnSystemId };
    expect(await answer('PUT', '/cluster', put)).toEqual([400, holding(code)]);
    expect((await service.result('/cluster')).dtnSystemId).toBe('dtn');
  });

  it('is told together with all else that is wrong', async () => {
    const [, message] = await answer('POST', '', linux('x', { dtnSystemId: 'nowhere', port: 'p' }));
    for (const code of ['SYSLIB_DTN_CANEXEC_FALSE', 'SYSLIB_DTN_NO_SYSTEM', 'port'])
      expect(message).toContain(code);
  });

  it('is for systems of its owner, so it stays while they need it', async () => {
    expect(await answer('POST', '/dtn/delete')).toEqual([409, holding('"cluster"')]);
    const { dtnSystemId, ...without } = await service.result('/cluster');
    expect(dtnSystemId).toBe('dtn');
    expect((await send('PUT', '/cluster', without)).status).toBe(200);
    expect((await service.result('/cluster')).dtnSystemId).toBeUndefined();
    expect((await send('POST', '/dtn/delete')).status).toBe(200);
    expect(await answer('PATCH', '/cluster', { dtnSystemId: 'dtn' })).toEqual([
      400,
      holding('SYSLIB_DTN_NO_SYSTEM'),
    ]);
  });

  it('of somebody else does not keep them from deleting it', async () => {
    await service.made(linux('theirs', { rootDir: '/shared' }), 'testuser2');
    service.double.security.grant('dev', 'testuser1', 'system:dev:READ:theirs');
    await service.made(linux('using', { ...executing, rootDir: '/shared', dtnSystemId: 'theirs' }));
    expect((await send('POST', '/theirs/delete', undefined, 'testuser2')).status).toBe(200);
  });

  it('is another system', async () => {
    const own = { ...executing, rootDir: '/shared' };
    await service.made(linux('alone', own));
    const refused = [400, holding('SYSLIB_DTN_NO_SYSTEM')];
    expect(await answer('PATCH', '/alone', { dtnSystemId: 'alone' })).toEqual(refused);
    expect((await send('POST', '/alone/delete')).status).toBe(200);
  });

  it('is looked at again when its system comes back', async () => {
    await service.made(linux('dtn3', { rootDir: '/shared' }));
    await service.made(linux('back', { ...executing, rootDir: '/shared', dtnSystemId: 'dtn3' }));
    for (const id of ['back', 'dtn3']) await send('POST', `/${id}/delete`);
    expect(await answer('POST', '/back/undelete')).toEqual([400, holding('SYSLIB_DTN_NO_SYSTEM')]);
    expect((await send('GET', '/back')).status).toBe(404);
    await send('POST', '/dtn3/undelete');
    expect((await send('POST', '/back/undelete')).body.result).toEqual({ changes: 1 });
  });

  it('that its parent got meanwhile must fit a child that comes back', async () => {
    await service.made(linux('dtn4', { rootDir: '/shared' }));
    await service.made(linux('aunt', { ...executing, rootDir: '/shared', allowChildren: true }));
    await send('POST', '/aunt/createChildSystem', { id: 'niece', rootDir: '/own' });
    await send('POST', '/niece/delete');
    expect((await send('PATCH', '/aunt', { dtnSystemId: 'dtn4' })).status).toBe(200);
    expect(await answer('POST', '/niece/undelete')).toEqual([
      400,
      holding('SYSLIB_DTN_ROOTDIR_MISMATCH'),
    ]);
    expect((await send('GET', '/niece')).status).toBe(404);
  });

  it('does not go in the moment that a system comes to need it', async () => {
    const ids = Array.from({ length: 8 }, (_, i) => i);
    for (const i of ids) {
      await service.made(linux(`node-${i}`, { rootDir: '/shared' }));
      await service.made(linux(`user-${i}`, { ...executing, rootDir: '/shared' }));
    }
    await Promise.all(
      ids.flatMap((i) => [
        send('PATCH', `/user-${i}`, { dtnSystemId: `node-${i}` }),
        send('POST', `/node-${i}/delete`),
      ]),
    );
    for (const i of ids) {
      const needs = (await service.result(`/user-${i}`)).dtnSystemId !== undefined;
      expect([i, (await send('GET', `/node-${i}`)).status]).toEqual([i, needs ? 200 : 404]);
    }
  });

  it('must fit the children too', async () => {
    await service.made(linux('dtn2', { rootDir: '/shared' }));
    await service.made(linux('mother', { ...executing, rootDir: '/shared', allowChildren: true }));
    await send('POST', '/mother/createChildSystem', { id: 'kid', rootDir: '/own' });
    expect(await answer('PATCH', '/mother', { dtnSystemId: 'dtn2' })).toEqual([
      400,
      holding('SYSLIB_DTN_ROOTDIR_MISMATCH'),
    ]);
  });
});

describe('a scheduler profile', () => {
  const profile = (name: string, more: object = {}) => ({
    name,
    description: 'for the site',
    moduleLoads: [
      { moduleLoadCommand: 'module load', modulesToLoad: ['tacc-singularity'] },
      { moduleLoadCommand: 'ml' },
    ],
    hiddenOptions: ['MEM'],
    ...more,
  });
  const at = (name: string) => `/schedulerProfile/${name}`;

  it('is made by anybody and seen by everybody of the tenant', async () => {
    const made = await send('POST', '/schedulerProfile', profile('site'));
    expect([made.status, made.body.result.url]).toEqual([
      201,
      expect.stringMatching(/\/v3\/systems\/schedulerProfile\/site$/),
    ]);
    const expected = {
      ...profile('site'),
      tenant: 'dev',
      owner: 'testuser1',
      uuid: expect.any(String),
      created: expect.stringMatching(/Z$/),
      updated: expect.stringMatching(/Z$/),
    };
    expect(await service.result(at('site'), 'testuser2')).toEqual(expected);
    expect(await service.result('/schedulerProfile', 'testuser2')).toEqual([expected]);
    const elsewhere = service.as('testuser1', 'other');
    expect((await service.send('GET', at('site'), undefined, elsewhere)).status).toBe(404);
    const none = await service.send('GET', '/schedulerProfile', undefined, elsewhere);
    expect([none.status, none.body.result]).toEqual([200, []]);
  });

  it('is refused when it is wrong, taken or for somebody else', async () => {
    const post = (body: object, user?: string) => answer('POST', '/schedulerProfile', body, user);
    expect(await post(profile('site'), 'testuser2')).toEqual([409, holding('SYSLIB_PRF_EXISTS')]);
    expect(await post(profile('x', { owner: 'testuser2' }))).toEqual([
      403,
      holding('SYSLIB_PRF_UNAUTH'),
    ]);
    expect((await post(profile('for-2', { owner: 'testuser2' }), 'boss'))[0]).toBe(201);
    const [status, message] = await post({
      name: '-x',
      hiddenOptions: ['CPU'],
      moduleLoads: [{ moduleLoadCommand: '' }],
      more: 1,
    });
    expect(status).toBe(400);
    for (const part of ['name', 'hiddenOptions', 'moduleLoadCommand', 'more'])
      expect(message).toContain(part);
  });

  it('must be there for the systems that name it, and stays while they do', async () => {
    const batch = {
      ...executing,
      canRunBatch: true,
      batchScheduler: 'SLURM',
      batchLogicalQueues: [{ name: 'q', hpcQueueName: 'q' }],
    };
    const body = (batchSchedulerProfile: string) =>
      linux('batch', { ...batch, batchSchedulerProfile });
    expect(await answer('POST', '', body('nosuch'))).toEqual([
      400,
      holding('SYSLIB_PRF_NO_PROFILE'),
    ]);
    await service.made(body('site'));
    expect(await answer('PATCH', '/batch', { batchSchedulerProfile: 'nosuch' })).toEqual([
      400,
      holding('SYSLIB_PRF_NO_PROFILE'),
    ]);
    expect(await answer('DELETE', at('site'))).toEqual([409, holding('SYSLIB_PRF_IN_USE')]);
    await send('POST', '/batch/delete');
    expect(await answer('DELETE', at('site'), undefined, 'testuser2')).toEqual([
      403,
      holding('SYSLIB_PRF_UNAUTH'),
    ]);
    expect((await send('DELETE', at('site'))).body.result).toEqual({ changes: 1 });
    // A system does not come back without it.
    expect(await answer('POST', '/batch/undelete')).toEqual([400, holding('"site"')]);
    expect((await send('GET', '/batch')).status).toBe(404);
    expect((await send('DELETE', at('site'))).body.result).toEqual({ changes: 0 });
    expect((await send('GET', at('site'))).status).toBe(404);
    expect((await send('DELETE', at('for-2'), undefined, 'boss')).body.result).toEqual({
      changes: 1,
    });
  });
});

it('matching by constraints is not supported', async () => {
  expect(await answer('POST', '/match/constraints', { match: ['a = b'] })).toEqual([
    501,
    holding('SYSAPI_MATCH_UNSUPPORTED'),
  ]);
  expect((await send('POST', '/match/constraints', {})).status).toBe(400);
});
