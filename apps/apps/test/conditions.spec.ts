import { app, AppsService } from './apps-service';

let service: AppsService;
beforeAll(async () => {
  service = await AppsService.start();
});
afterAll(() => service.stop());

it('actions are done on the version that If-Match names, or not at all', async () => {
  await service.send('POST', '', app('matched'));
  const etag = async () => (await service.send('GET', '/matched')).headers['etag'] as string;
  const act = async (action: string, tag: string) => {
    const headers = { ...service.as('testuser1'), 'if-match': tag };
    return (await service.send('POST', `/matched/${action}`, undefined, headers)).status;
  };
  const old = await etag();
  expect(await act('1.0/lock', old)).toBe(200);
  for (const action of ['1.0/unlock', '1.0/disable', 'disable', 'delete'])
    expect(await act(action, old)).toBe(412);
  expect(await act('1.0/unlock', await etag())).toBe(200);
  expect(await act('disable', await etag())).toBe(200);
  expect((await service.send('GET', '/matched')).body.result.enabled).toBe(false);
});

it('nothing but what was selected is answered', async () => {
  await service.send('POST', '', app('chosen'));
  expect((await service.send('GET', '/chosen?select=version,owner')).body.result).toEqual({
    id: 'chosen',
    version: '1.0',
    owner: 'testuser1',
  });
});
