import { linux, SystemsService } from './systems-service';

let service: SystemsService;
beforeAll(async () => {
  service = await SystemsService.start();
});
afterAll(() => service.stop());

it('actions are done on the version that If-Match names, or not at all', async () => {
  await service.made(linux('matched'));
  const etag = async () => (await service.send('GET', '/matched')).headers['etag'] as string;
  const act = async (action: string, tag: string) => {
    const headers = { ...service.as('testuser1'), 'if-match': tag };
    return (await service.send('POST', `/matched/${action}`, undefined, headers)).status;
  };
  const old = await etag();
  expect(await act('disable', old)).toBe(200);
  for (const action of ['enable', 'disable', 'delete']) expect(await act(action, old)).toBe(412);
  expect((await service.result('/matched')).enabled).toBe(false);
  expect(await act('enable', await etag())).toBe(200);
  expect(await act('delete', '*')).toBe(200);
});

it('a method that there is not is named as such', async () => {
  await service.made(linux('methods'));
  const files = service.asService('files');
  for (const [method, path, headers] of [
    ['GET', '/methods?authnMethod=X', undefined],
    ['GET', '/methods?returnCredentials=true&authnMethod=X', files],
    ['GET', '/credential/methods/user/testuser1?authnMethod=X', files],
    ['POST', '/credential/methods/user/testuser1/check?authnMethod=X', undefined],
  ] as const) {
    const { status, body } = await service.send(method, path, undefined, headers);
    expect([status, body.message.split(' ')[0]]).toEqual([400, 'SYSLIB_AUTHN_METHOD_NOT_FOUND']);
  }
});

it('a login that fails is told once', async () => {
  const { port } = service.host;
  const { body } = await service.send(
    'POST',
    '',
    service.onHost('told', { effectiveUserId: 'nobody-here', authnCredential: service.keys }),
  );
  expect(body.message.split(`nobody-here@127.0.0.1:${port}`)).toHaveLength(2);
});
