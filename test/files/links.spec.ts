import { mkdirSync, symlinkSync } from 'node:fs';
import { flow, PlatformProcess, type Session, TestHost } from '@libs/flows';
import { end } from '../fixtures/end';
import { actingFor, serviceToken } from '../fixtures/tokens';
import { Traps } from '../fixtures/trap';

describe('a link that leads out of the root directory', () => {
  let platform: PlatformProcess;
  let host: TestHost;
  let traps: Traps;
  let system: string;
  let guest: Session;

  beforeAll(async () => {
    host = await TestHost.start();
    traps = new Traps(host);
    platform = await PlatformProcess.start();
    system = await flow(platform).given.system({ host });
    mkdirSync(host.path('shared'));
    host.put('shared/inside.txt', 'inside\n');
    symlinkSync(traps.canary, host.path('shared/file-link'));
    symlinkSync(host.outside('outside'), host.path('shared/folder-link'));
    symlinkSync(host.path('shared/inside.txt'), host.path('shared/inner-link'));
    await grant('testuser2', `system:dev:READ:${system}`);
    await grant('testuser2', `files:dev:MODIFY:${system}:/shared`);
    guest = await platform.as('testuser2');
  });
  afterAll(() => end(platform, [host]));

  /** A permission as the files service writes it into the security kernel. */
  const grant = async (user: string, permSpec: string) => {
    const files = platform.anonymous().with({
      token: await serviceToken(platform, 'files'),
      headers: actingFor(platform, 'files', 'admin'),
    });
    await files.ask('POST', '/v3/security/user/grantUserPermission', {
      tenant: 'dev',
      user,
      permSpec,
    });
  };

  it('is followed for the owner', async () => {
    const owner = await platform.as('testuser1');
    const reply = await owner.call('GET', `/v3/files/content/${system}/shared/file-link`);
    expect([reply.status, reply.text]).toEqual([200, `${traps.secret}\n`]);
  });

  it('lets a guest have what lies inside, also through a link that stays inside', async () => {
    for (const path of ['shared/inside.txt', 'shared/inner-link']) {
      const reply = await guest.call('GET', `/v3/files/content/${system}/${path}`);
      expect([path, reply.status, reply.text]).toEqual([path, 200, 'inside\n']);
    }
  });

  it.each([
    ['content', 'GET', 'content', 'file-link'],
    ['content through a folder', 'GET', 'content', 'folder-link/canary.txt'],
    ['list', 'GET', 'ops', 'folder-link'],
    ['stat', 'GET', 'utils/linux', 'folder-link/canary.txt'],
    ['delete', 'DELETE', 'ops', 'folder-link/canary.txt'],
  ])('is 403 for a guest: %s', async (_, method, group, path) => {
    const reply = await guest.call(method, `/v3/files/${group}/${system}/shared/${path}`);
    expect(traps.seenIn(reply)).toBe(false);
    expect(reply.status).toBe(403);
    expect(traps.sprung()).toEqual([]);
  });

  it('is 403 for a guest who writes through it', async () => {
    const ops = `/v3/files/ops/${system}/shared`;
    const replies = [
      await guest.upload(`${ops}/folder-link/new.txt`, 'x'),
      await guest.upload(`${ops}/file-link`, 'x'),
      await guest.send('POST', `/v3/files/ops/${system}`, { path: 'shared/folder-link/new' }),
      await guest.send('PUT', `${ops}/inside.txt`, {
        operation: 'COPY',
        newPath: 'shared/folder-link/copy.txt',
      }),
      await guest.send('PUT', `${ops}/folder-link/canary.txt`, {
        operation: 'COPY',
        newPath: 'shared/got.txt',
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 403));
    expect(traps.sprung()).toEqual([]);
  });

  it('does not come along in a zip for a guest', async () => {
    const reply = await guest.call('GET', `/v3/files/content/${system}/shared?zip=true`);
    expect(traps.seenIn(reply)).toBe(false);
  });
});
