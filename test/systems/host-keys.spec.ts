import { flow, PlatformProcess, TestHost } from '@libs/flows';
import { end } from '../fixtures/end';

describe('the key of a host', () => {
  let platform: PlatformProcess;
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start();
    platform = await PlatformProcess.start();
  });
  afterAll(() => end(platform, [host]));

  it('is pinned at registration; another one is refused until the owner forgets the pin', async () => {
    const { given, me } = flow(platform);
    const owner = await me();
    const system = await given.system({ host });
    const first = host.server.hostKey;
    expect((await owner.ask('GET', `/v3/systems/${system}`)).hostKeys).toEqual([first]);
    await given.file(system, 'file.txt', 'before');

    await host.server.stop();
    host.server.newHostKey();
    await host.server.start();
    const refused = await owner.call('GET', `/v3/files/ops/${system}/file.txt`);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.message).toContain('HOST_KEY_CHANGED');
    expect(refused.message).toContain(first);
    expect(refused.message).toContain(host.server.hostKey);

    const stranger = await platform.as('testuser2');
    expect([403, 404]).toContain(
      (await stranger.call('DELETE', `/v3/systems/${system}/hostKey`)).status,
    );
    await owner.ask('DELETE', `/v3/systems/${system}/hostKey`);
    expect((await owner.call('GET', `/v3/files/content/${system}/file.txt`)).text).toBe('before');
    expect((await owner.ask('GET', `/v3/systems/${system}`)).hostKeys).toEqual([
      host.server.hostKey,
    ]);
  });
});
