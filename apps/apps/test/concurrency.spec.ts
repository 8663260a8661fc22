import { app, AppsService } from './apps-service';

let service: AppsService;
beforeAll(async () => {
  service = await AppsService.start();
  service.double.security.makeAdmin('dev', 'boss');
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown) => service.send(method, path, body);
const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));

it('of 50 creations of one version at once one is done, the others are told that it is there', async () => {
  const answers = await times(50, (i) =>
    send('POST', '', app('one', '1.0', { description: `${i}` })),
  );
  const count = (status: number) => answers.filter((a) => a.status === status).length;
  expect([count(201), count(409)]).toEqual([1, 49]);
  const { result } = (await send('GET', '/one/history')).body;
  expect(result).toHaveLength(1);
  const winner = answers.findIndex((a) => a.status === 201);
  expect((await send('GET', '/one')).body.result.description).toBe(`${winner}`);
});

it('of 20 versions created at once all are there and one is the latest', async () => {
  const answers = await times(20, (i) => send('POST', '', app('many', `${i}.0`)));
  expect(answers.map((a) => a.status)).toEqual(Array(20).fill(201));
  const all = await send('GET', '?search=(id.eq.many)~(version.like.*)&orderBy=created');
  expect(all.body.result).toHaveLength(20);
  const latest = (await send('GET', '?search=(id.eq.many)')).body.result;
  expect(latest).toHaveLength(1);
  expect((await send('GET', '/many')).body.result.version).toBe(latest[0].version);
});

it('updates at once never mix: fields that were set together stay together', async () => {
  await send('POST', '', app('pairs'));
  const half = (i: number) => ({
    description: `d${i}`,
    jobAttributes: { execSystemExecDir: `/d${i}`, cmdPrefix: `d${i}` },
  });
  const answers = await times(24, (i) =>
    i % 2
      ? send('PATCH', '/pairs/1.0', half(i))
      : send('PUT', '/pairs/1.0', { containerImage: `image:d${i}`, ...half(i) }),
  );
  expect(answers.map((a) => a.status)).toEqual(Array(24).fill(200));
  const { description, jobAttributes } = (await send('GET', '/pairs/1.0')).body.result;
  expect([jobAttributes.execSystemExecDir, jobAttributes.cmdPrefix]).toEqual([
    `/${description}`,
    description,
  ]);
});

it('updates of different fields at once are all kept', async () => {
  await send('POST', '', app('fields'));
  const patches = [
    { description: 'x' },
    { tags: ['x'] },
    { maxJobs: 7 },
    { jobAttributes: { nodeCount: 3 } },
    { jobAttributes: { parameterSet: { archiveFilter: { excludes: ['x'] } } } },
    { jobAttributes: { parameterSet: { archiveFilter: { includes: ['y'] } } } },
  ];
  const answers = await times(24, (i) => send('PATCH', '/fields/1.0', patches[i % patches.length]));
  expect(answers.map((a) => a.status)).toEqual(Array(24).fill(200));
  expect((await send('GET', '/fields/1.0')).body.result).toMatchObject({
    description: 'x',
    tags: ['x'],
    maxJobs: 7,
    jobAttributes: {
      nodeCount: 3,
      parameterSet: { archiveFilter: { includes: ['y'], excludes: ['x'] } },
    },
  });
});

it('changes of an app and of its versions at once end, each done', async () => {
  for (const version of ['1.0', '2.0']) await send('POST', '', app('mixed', version));
  const etag = String((await send('GET', '/mixed')).headers['etag']);
  const matched = { ...service.as('testuser1'), 'if-match': etag };
  const answers = await times(40, (i) => {
    switch (i % 5) {
      case 0:
        return send('POST', '', app('mixed', `3.${i}`));
      case 1:
        return send('POST', '/mixed/2.0/disable');
      case 2:
        return send('PATCH', '/mixed/2.0', { description: `${i}` });
      case 3:
        return send('POST', '/share/mixed', { users: [`guest${i}`] });
      default:
        return service.send('POST', '/mixed/disable', undefined, matched);
    }
  });
  for (const { status, text } of answers)
    expect([200, 201, 412, status]).toContain(status < 500 ? status : text);
  const { result } = (await send('GET', '/mixed')).body;
  expect(result.sharedWithUsers).toHaveLength(8);
});

it('who has handed an app over can hand it over no more', async () => {
  await send('POST', '', app('wanted'));
  const users = ['testuser2', 'testuser3', 'testuser4', 'testuser5'];
  const answers = await Promise.all(
    users.map((user) => send('POST', `/wanted/changeOwner/${user}`)),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(done).toHaveLength(1);
  for (const { status } of answers) expect([200, 403, 404]).toContain(status);
  const { owner } = (await service.send('GET', '/wanted', undefined, service.as('boss'))).body
    .result;
  expect(owner).toBe(users[answers.indexOf(done[0]!)]);
});
