import { executing, linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown, user = 'testuser1') =>
  service.send(method, path, body, service.as(user));
const refusal = async (...args: Parameters<typeof send>) => {
  const { status, body } = await send(...args);
  return [status, String(body.message).split(' ')[0]];
};
const parent = (id: string, more: object = {}) =>
  linux(id, {
    ...executing,
    allowChildren: true,
    description: 'the parent',
    tags: ['a'],
    notes: { n: 1 },
    port: 2222,
    ...more,
  });
/** A parent that testuser2 may read. */
const shared = async (id: string, more: object = {}) => {
  await service.made(parent(id, more));
  service.double.security.grant('dev', 'testuser2', `system:dev:READ:${id}`);
};
const child = async (of: string, body: object, user = 'testuser2') => {
  const answer = await send('POST', `/${of}/createChildSystem`, body, user);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.result.url as string;
};

it('has its own id, owner, login and root, all else is the parent’s', async () => {
  await shared('p1');
  const url = await child('p1', { id: 'c1', effectiveUserId: 'runner', rootDir: '/data//own/' });
  expect(url).toMatch(/\/v3\/systems\/c1$/);
  const found = await service.result('/c1', 'testuser2');
  const mother = await service.result('/p1');
  const own = {
    id: 'c1',
    owner: 'testuser2',
    effectiveUserId: 'runner',
    isDynamicEffectiveUser: false,
    rootDir: '/data/own',
    enabled: true,
    allowChildren: false,
    parentId: 'p1',
    uuid: expect.any(String),
    created: expect.any(String),
    updated: expect.any(String),
  };
  expect(found).toEqual({ ...mother, ...own });
  expect(found.uuid).not.toBe(mother.uuid);
  expect([...service.double.security.permissions.get('["dev","testuser2"]')!]).toContain(
    'files:dev:*:c1',
  );
  const listed = await send('GET', '?search=parentId.eq.p1', undefined, 'testuser2');
  expect(listed.body.result.map((one: { id: string }) => one.id)).toEqual(['c1']);
});

it('takes login and root from the parent, and its id from both names, when not given', async () => {
  await shared('p2', { effectiveUserId: '${apiUserId}', rootDir: '/scratch' });
  await child('p2', {});
  expect(await service.result('/p2-testuser2', 'testuser2')).toMatchObject({
    effectiveUserId: 'testuser2',
    isDynamicEffectiveUser: true,
    rootDir: '/scratch',
  });
  await child('p2', { id: 'c2', effectiveUserId: '${owner}', rootDir: '/home/${owner}/${tenant}' });
  expect(await service.result('/c2', 'testuser2')).toMatchObject({
    effectiveUserId: 'testuser2',
    isDynamicEffectiveUser: false,
    rootDir: '/home/testuser2/dev',
  });
});

it('is refused with its reason', async () => {
  await shared('p3');
  await service.made(linux('childless'));
  const at = '/p3/createChildSystem';
  expect(await refusal('POST', '/nowhere/createChildSystem', {})).toEqual([
    404,
    'SYSLIB_NOT_FOUND',
  ]);
  expect(await refusal('POST', at, {}, 'stranger')).toEqual([404, 'SYSLIB_NOT_FOUND']);
  expect(await refusal('POST', '/childless/createChildSystem', {})).toEqual([
    400,
    'SYSLIB_CHILD_NOT_PERMITTED',
  ]);
  expect(await refusal('POST', at, { id: 'p3' })).toEqual([409, 'SYSLIB_SYS_EXISTS']);
  expect(await refusal('POST', at, { id: 'search' })).toEqual([409, 'SYSLIB_CREATE_RESERVED']);
  expect(await refusal('POST', at, { owner: 'somebody' })).toEqual([403, 'SYSLIB_UNAUTH']);
  await child('p3', { id: 'c3' });
  expect(await refusal('POST', '/c3/createChildSystem', {}, 'testuser2')).toEqual([
    400,
    'SYSLIB_CHILD_NOT_PERMITTED',
  ]);
  const { status, body } = await send('POST', at, {
    id: '-x',
    rootDir: 'HOST_EVAL($HOME)',
    host: 'other',
    effectiveUserId: '${tenant}',
  });
  expect(status).toBe(400);
  for (const reason of ['id:', 'host:', 'SYSLIB_ROOT_HOST_EVAL_CREDS', 'effectiveUserId'])
    expect(body.message).toContain(reason);
});

it('needs a name of its own when that of its maker is no part of an id', async () => {
  await shared('p3b');
  const by = 'somebody@example.org';
  service.double.security.grant('dev', by, 'system:dev:READ:p3b');
  const unnamed = await send('POST', '/p3b/createChildSystem', {}, by);
  expect([unnamed.status, unnamed.body.message]).toEqual([400, expect.stringContaining('id:')]);
  await child('p3b', { id: 'named' }, by);
});

it('follows its parent, and keeps what is its own', async () => {
  await shared('p4');
  await child('p4', { id: 'c4', effectiveUserId: 'runner', rootDir: '/own' });
  await send('PATCH', '/p4', {
    description: 'new',
    tags: ['b'],
    host: 'new.example.org',
    port: 23,
  });
  expect(await service.result('/c4', 'testuser2')).toMatchObject({
    description: 'new',
    tags: ['b'],
    host: 'new.example.org',
    port: 23,
    effectiveUserId: 'runner',
    rootDir: '/own',
    allowChildren: false,
  });
  await send('POST', '/p4/disable');
  expect((await service.result('/c4', 'testuser2')).enabled).toBe(true);
  const { description, ...rest } = await service.result('/p4');
  expect(description).toBe('new');
  expect((await send('PUT', '/p4', rest)).status).toBe(200);
  expect((await service.result('/c4', 'testuser2')).description).toBeUndefined();
});

it('changes its login only', async () => {
  await shared('p5');
  await child('p5', { id: 'c5' });
  const by = 'testuser2';
  expect(await refusal('PATCH', '/c5', { effectiveUserId: 'x' }, by)).toEqual([
    200,
    'SYSAPI_UPDATED',
  ]);
  expect((await service.result('/c5', by)).effectiveUserId).toBe('x');
  for (const patch of [
    { description: 'x' },
    { effectiveUserId: 'y', port: 1 },
    { allowChildren: true },
  ])
    expect(await refusal('PATCH', '/c5', patch, by)).toEqual([
      400,
      'SYSLIB_CHILD_PATCH_NOT_ALLOWED',
    ]);
  expect(await refusal('PUT', '/c5', await service.result('/c5', by), by)).toEqual([
    400,
    'SYSLIB_CHILD_PUT_NOT_ALLOWED',
  ]);
});

it('keeps its parent from going, or from allowing no children', async () => {
  await shared('p6');
  await child('p6', { id: 'c6' });
  expect(await refusal('POST', '/p6/delete')).toEqual([400, 'SYSLIB_CHILD_HAS_CHILD_ERROR']);
  const { status, body } = await send('PATCH', '/p6', { allowChildren: false });
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('SYSLIB_CHILD_ALLOW_CONFLICT_ERROR'),
  ]);
  await send('POST', '/c6/delete', undefined, 'testuser2');
  expect((await send('POST', '/p6/delete')).status).toBe(200);
  expect(await refusal('POST', '/c6/undelete', undefined, 'testuser2')).toEqual([
    400,
    'SYSLIB_CHILD_PARENT_NOT_FOUND',
  ]);
  await send('POST', '/p6/undelete');
  await send('PATCH', '/p6', { description: 'meanwhile' });
  expect((await send('POST', '/c6/undelete', undefined, 'testuser2')).body.result).toEqual({
    changes: 1,
  });
  expect((await service.result('/c6', 'testuser2')).description).toBe('meanwhile');
});

describe('unlinking', () => {
  it('is done by the owner of the child, and leaves a system that stands alone', async () => {
    await shared('p7');
    await child('p7', { id: 'c7' });
    expect(await refusal('POST', '/c7/unlinkFromParent')).toEqual([404, 'SYSLIB_NOT_FOUND']);
    service.double.security.grant('dev', 'writer', 'system:dev:READ,MODIFY:c7');
    expect(await refusal('POST', '/c7/unlinkFromParent', undefined, 'writer')).toEqual([
      403,
      'SYSLIB_UNAUTH',
    ]);
    const unlink = () => send('POST', '/c7/unlinkFromParent', undefined, 'testuser2');
    expect((await unlink()).body.result).toEqual({ changes: 1 });
    expect((await unlink()).body.result).toEqual({ changes: 0 });
    const alone = await service.result('/c7', 'testuser2');
    expect(alone).toMatchObject({ parentId: null, description: 'the parent', port: 2222 });
    await send('PATCH', '/p7', { description: 'changed' });
    expect((await service.result('/c7', 'testuser2')).description).toBe('the parent');
    expect((await send('PATCH', '/c7', { description: 'mine' }, 'testuser2')).status).toBe(200);
    const history = await service.result('/c7/history', 'testuser2');
    expect(history[1]).toMatchObject({ operation: 'modify', description: { parentId: '' } });
  });

  it('is done by the owner of the parent for some or for all', async () => {
    await shared('p8');
    for (const id of ['c8a', 'c8b', 'c8c']) await child('p8', { id });
    const at = '/p8/unlinkChildren';
    expect(await refusal('POST', at, { childSystemIds: ['c8a'] }, 'testuser2')).toEqual([
      403,
      'SYSLIB_UNAUTH',
    ]);
    for (const [path, body] of [
      [at, {}],
      [at, undefined],
      [`${at}?all=true`, { childSystemIds: ['c8a'] }],
      [at, { childSystemIds: [] }],
    ] as const)
      expect((await send('POST', path, body)).status).toBe(400);
    expect(await refusal('POST', at, { childSystemIds: ['c8a', 'p8'] })).toEqual([
      404,
      'SYSLIB_CHILD_CHILD_NOT_FOUND',
    ]);
    expect((await service.result('/c8a', 'testuser2')).parentId).toBe('p8');
    const some = await send('POST', at, { childSystemIds: ['c8a'] });
    expect(some.body.result).toEqual({ changes: 1 });
    const all = await send('POST', `${at}?all=true`, undefined, 'boss');
    expect(all.body.result).toEqual({ changes: 2 });
    expect((await send('POST', '/p8/delete')).status).toBe(200);
  });
});

it('is never left behind by a change of its parent at the same time', async () => {
  await shared('p9');
  const ids = Array.from({ length: 8 }, (_, i) => `c9-${i}`);
  await Promise.all([
    ...ids.map((id) => child('p9', { id })),
    ...[1, 2, 3, 4].map((i) => send('PATCH', '/p9', { description: `change ${i}` })),
  ]);
  const { description } = await service.result('/p9');
  for (const id of ids)
    expect((await service.result(`/${id}`, 'testuser2')).description).toBe(description);
});
