import { randomBytes } from 'node:crypto';
import { RunningKernel } from './running-kernel';

let kernel: RunningKernel;
beforeAll(async () => {
  kernel = await RunningKernel.start();
});
afterAll(() => kernel.close());

const APPS = 'apps:testuser1@dev';
const share = {
  tenant: 'dev',
  grantor: 'testuser1',
  grantee: 'testuser2',
  resourceType: 'app',
  resourceId1: 'a1',
  privilege: 'READ',
};
const query = (values: object) => new URLSearchParams(values as Record<string, string>).toString();
const has = async (values: object, who = APPS) => {
  const asked = new URLSearchParams(query({ ...share, ...values }));
  asked.delete('grantor');
  return (await kernel.result(who, `/share/hasPrivilege?${asked}`)) as { aBool: boolean };
};
const list = async (values: object) =>
  (
    (await kernel.result(APPS, `/share?${query({ tenant: 'dev', ...values })}`)) as {
      shares: { id: number }[];
    }
  ).shares;

it('is for services', async () => {
  for (const [path, options] of [
    ['/share', { body: share }],
    ['/share?tenant=dev', {}],
    [`/share/hasPrivilege?${query(share)}`, {}],
    ['/share/1?tenant=dev', {}],
  ] as const)
    expect((await kernel.ask('admin', path, options)).status).toBe(403);
});

it('shares once, and takes back only what the same service shared', async () => {
  const first = await kernel.ask(APPS, '/share', { body: share });
  expect(first.status).toBe(201);
  const again = await kernel.ask(APPS, '/share', { body: share });
  expect([again.status, again.body.result]).toEqual([200, first.body.result]);
  // an empty second id is none
  const blank = await kernel.ask(APPS, '/share', { body: { ...share, resourceId2: '' } });
  expect([blank.status, blank.body.result]).toEqual([200, first.body.result]);
  expect(await has({ resourceId2: '' })).toEqual({ aBool: true });
  expect(await has({})).toEqual({ aBool: true });
  for (const other of [
    { grantee: 'testuser3' },
    { resourceId1: 'a2' },
    { resourceId2: 'x' },
    { privilege: 'EXECUTE' },
    { resourceType: 'system' },
  ])
    expect(await has(other)).toEqual({ aBool: false });
  expect(await has({ tenant: 'other' }, 'apps:u@other')).toEqual({ aBool: false });
  const [record] = await list({ resourceId1: 'a1' });
  expect(record).toMatchObject({
    ...share,
    resourceId2: null,
    createdBy: 'apps',
    createdByTenant: 'admin',
  });
  const url = `/share?${query(share)}`;
  expect((await kernel.ask('systems:u@dev', url, { method: 'DELETE' })).body.result).toEqual({
    changes: 0,
  });
  expect((await kernel.ask(APPS, url, { method: 'DELETE' })).body.result).toEqual({ changes: 1 });
  expect((await kernel.ask(APPS, `/share/${record!.id}?tenant=dev`)).status).toBe(404);
  for (const id of ['x', '-1', '1.5', '99999999999999999999'])
    expect((await kernel.ask(APPS, `/share/${id}?tenant=dev`)).status).toBe(400);
});

it('shares with everybody', async () => {
  await kernel.result(APPS, '/share', { ...share, resourceId1: 'p1', grantee: '~public' });
  expect(await has({ resourceId1: 'p1', grantee: 'whoever' })).toEqual({ aBool: true });
  expect(await has({ resourceId1: 'p1', excludePublic: 'true' })).toEqual({ aBool: false });
  expect(await list({ resourceId1: 'p1', grantee: 'testuser9' })).toHaveLength(1);
  expect(
    await list({ resourceId1: 'p1', grantee: 'testuser9', includePublicGrantees: 'false' }),
  ).toHaveLength(0);
});

it('finds by prefix, and with a second id', async () => {
  for (const id of ['/dir', '/dir/a', '/dirt', '/di_r'])
    await kernel.result(APPS, '/share', { ...share, resourceId1: 'sys', resourceId2: id });
  expect(await list({ resourceId1: 'sys' })).toHaveLength(0);
  expect(await list({ resourceId1: 'sys', requireNullId2: 'false' })).toHaveLength(4);
  expect(await list({ resourceId1: 'sys', resourceId2: '/dir/%' })).toHaveLength(1);
  expect(await list({ resourceId1: 'sys', resourceId2: '/dir%' })).toHaveLength(3);
  expect(await list({ resourceId1: 'sys', resourceId2: '/di_r' })).toHaveLength(1);
  expect(await list({ resourceId1: 's%', requireNullId2: 'false' })).toHaveLength(4);
});

it('takes the longest ids', async () => {
  const long = () => randomBytes(1024).toString('hex');
  const key = { ...share, resourceId1: long(), resourceId2: long() };
  expect((await kernel.ask(APPS, '/share', { body: key })).status).toBe(201);
  expect((await kernel.ask(APPS, '/share', { body: key })).status).toBe(200);
  expect(
    (await kernel.ask(APPS, '/share', { body: { ...key, resourceId1: 'x'.repeat(2049) } })).status,
  ).toBe(400);
});
