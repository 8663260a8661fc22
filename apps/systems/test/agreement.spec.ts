import { Database } from '@libs/database';
import { KernelAgreement } from '../src/actions/kernel-agreement';
import { linux, SystemsService } from './systems-service';

let service: SystemsService;
let agreement: KernelAgreement;
let database: Database;
beforeAll(async () => {
  service = await SystemsService.start();
  agreement = service.service.get(KernelAgreement);
  database = service.service.get(Database);
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown, user = 'testuser1') =>
  service.send(method, path, body, service.as(user));
const held = (user = 'testuser1') =>
  service.double.security.permissions.get(JSON.stringify(['dev', user])) ?? new Set();
const secrets = () => service.double.security.secrets.size;
const notes = () => database.query('SELECT id FROM kernel_notes');

/** From its first call whose path ends so, the security kernel is gone; that call it still carries out, or not. */
function goneAt(end: string, { after = true } = {}): () => void {
  const { security } = service.double;
  const answer = security.answer.bind(security);
  let gone = false;
  const spy = jest.spyOn(security, 'answer').mockImplementation((request) => {
    if (!gone && !request.path.includes(end)) return answer(request);
    if (!gone && after) answer(request);
    gone = true;
    throw new Error('gone');
  });
  return () => spy.mockRestore();
}

it('a creation that ends between kernel and table leaves no right and no secret', async () => {
  const before = secrets();
  // the platform dies right after the kernel was told: nothing more can be undone from here
  const back = goneAt('grantUserPermission');
  const body = service.onHost('cut-off', { authnCredential: service.keys });
  expect((await send('POST', '', body)).status).toBeGreaterThanOrEqual(500);
  back();
  expect(held()).toContain('files:dev:*:cut-off');
  expect(secrets()).toBe(before + 1);
  expect((await send('GET', '/cut-off')).status).toBe(404);
  expect(await notes()).toEqual([{ id: 'cut-off' }]);
  // what every start of the service does
  await agreement.sweep(0);
  expect(held()).not.toContain('files:dev:*:cut-off');
  expect(secrets()).toBe(before);
  expect(await notes()).toEqual([]);
});

it('its id can be created again at once, by somebody else too, and late clean-up does no harm', async () => {
  const before = secrets();
  const back = goneAt('grantUserPermission');
  await send('POST', '', service.onHost('again', { authnCredential: service.keys }));
  back();
  const body = service.onHost('again', { authnCredential: service.keys });
  await service.made(body, 'testuser2');
  expect(held('testuser1')).toContain('files:dev:*:again');
  await agreement.sweep(0);
  expect(held('testuser1')).not.toContain('files:dev:*:again');
  expect(held('testuser2')).toContain('files:dev:*:again');
  expect(secrets()).toBe(before + 1);
  const check = `/credential/again/user/${service.host.user}/check`;
  expect((await send('POST', check, undefined, 'testuser2')).status).toBe(200);
});

it('fifty creations of one id leave no note', async () => {
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      send('POST', '', linux('raced'), `testuser${1 + (i % 3)}`),
    ),
  );
  expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(all.filter(({ status }) => status === 409)).toHaveLength(49);
  expect(await notes()).toEqual([]);
  const owners = ['testuser1', 'testuser2', 'testuser3'].filter((user) =>
    held(user).has('files:dev:*:raced'),
  );
  const [row] = await database.query<{ owner: string }>(
    `SELECT owner FROM systems WHERE id = 'raced'`,
  );
  expect(owners).toEqual([row!.owner]);
});

it('a deletion that is cut off is finished later', async () => {
  await service.made(service.onHost('half-deleted', { authnCredential: service.keys }));
  service.double.security.grant('dev', 'friend', 'system:dev:READ:half-deleted');
  const before = secrets();
  const back = goneAt('revokeUserPermission', { after: false });
  const answer = await send('POST', '/half-deleted/delete');
  back();
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(held()).toContain('files:dev:*:half-deleted');
  await agreement.sweep(0);
  expect(held()).not.toContain('files:dev:*:half-deleted');
  expect(held('friend')).not.toContain('system:dev:READ:half-deleted');
  expect(secrets()).toBe(before - 1);
  expect((await send('GET', '/half-deleted')).status).toBe(404);
});

it('a credential whose registration is cut off is not there, and a removed one goes', async () => {
  await service.made(service.onHost('cred'));
  const before = secrets();
  const path = `/credential/cred/user/${service.host.user}?skipCredentialCheck=true`;
  const back = goneAt('/vault/secret/');
  await send('POST', path, service.keys);
  back();
  expect(secrets()).toBe(before + 1);
  expect((await service.result('/cred')).hasCredentials).toBe(false);
  await agreement.sweep(0);
  expect(secrets()).toBe(before);

  await send('POST', path, service.keys);
  const away = goneAt('/vault/secret/destroy', { after: false });
  await send('DELETE', path.split('?')[0]!);
  away();
  expect((await service.result('/cred')).hasCredentials).toBe(false);
  await agreement.sweep(0);
  expect(secrets()).toBe(before);
  expect(await notes()).toEqual([]);
});

describe('changeOwner', () => {
  beforeAll(() => service.double.security.makeAdmin('dev', 'boss'));

  it('moves the right to all files, and keeps grants, shares and credentials', async () => {
    await service.made(service.onHost('handed', { authnCredential: service.keys }));
    service.double.security.grant('dev', 'friend', 'system:dev:READ:handed');
    await send('POST', '/share/handed', { users: ['guest'] });
    const moved = await send('POST', '/handed/changeOwner/testuser2');
    expect([moved.status, moved.body.result]).toEqual([200, { changes: 1 }]);
    expect(held('testuser1')).not.toContain('files:dev:*:handed');
    expect(held('testuser2')).toContain('files:dev:*:handed');
    expect((await send('GET', '/handed')).status).toBe(404);
    const found = await service.result('/handed', 'testuser2');
    expect(found).toMatchObject({
      owner: 'testuser2',
      hasCredentials: true,
      sharedWithUsers: ['guest'],
    });
    for (const user of ['friend', 'guest'])
      expect((await send('GET', '/handed', undefined, user)).status).toBe(200);
    const history = await service.result('/handed/history', 'testuser2');
    expect(history.at(-1)).toMatchObject({
      operation: 'changeOwner',
      oboUser: 'testuser1',
      description: { System: 'handed', owner: { oldValue: 'testuser1', newValue: 'testuser2' } },
    });
    const same = await send('POST', '/handed/changeOwner/testuser2', undefined, 'testuser2');
    expect(same.body.result).toEqual({ changes: 0 });
  });

  it('is done by owner and admin, to users there are', async () => {
    await service.made(linux('kept'));
    service.double.security.grant('dev', 'writer', 'system:dev:READ,MODIFY:kept');
    const to = (user: string, by: string) =>
      send('POST', `/kept/changeOwner/${user}`, undefined, by);
    expect((await to('writer', 'writer')).status).toBe(403);
    expect((await to('stranger', 'stranger')).status).toBe(404);
    const unknown = await to('nobody', 'testuser1');
    expect([unknown.status, unknown.body.message]).toEqual([
      400,
      expect.stringMatching(/^SYSLIB_UNKNOWN_USER /),
    ]);
    expect((await to('testuser2', 'boss')).status).toBe(200);
  });

  it('by many at once gives it to one of them', async () => {
    await service.made(linux('wanted'));
    const users = ['testuser2', 'testuser3', 'testuser4', 'testuser5'];
    const all = await Promise.all(users.map((user) => send('POST', `/wanted/changeOwner/${user}`)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    const holders = ['testuser1', ...users].filter((user) => held(user).has('files:dev:*:wanted'));
    expect(holders).toHaveLength(1);
    expect((await service.result('/wanted', holders[0])).owner).toBe(holders[0]);
  });
});
