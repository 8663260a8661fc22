import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flow, PlatformProcess, type Session, TestHost } from '@libs/flows';
import { until } from '@libs/kit';
import { end } from '../fixtures/end';

const FILES = 1500;

describe('a transfer from host to host', () => {
  let platform: PlatformProcess;
  let from: TestHost;
  let to: TestHost;
  let owner: Session;
  let source: string;
  let target: string;

  beforeAll(async () => {
    [from, to] = await Promise.all([TestHost.start(), TestHost.start()]);
    platform = await PlatformProcess.start({ env: { TRANSFER_RETRY_SECONDS: '0.3,0.6,1.2,2.4' } });
    const { given, me } = flow(platform);
    owner = await me();
    source = await given.system({ host: from, canExec: false });
    target = await given.system({ host: to, canExec: false });
    mkdirSync(from.path('many/deep'), { recursive: true });
    for (let i = 0; i < FILES; i++)
      writeFileSync(from.path(i % 2 ? 'many' : 'many/deep', `f${i}`), randomBytes(4096));
    writeFileSync(from.path('large'), randomBytes(64 * 1024 * 1024));
  });
  afterAll(() => end(platform, [from, to]));

  const start = async (path: string, copy: string): Promise<string> => {
    const uris = {
      sourceURI: `svc://${source}/${path}`,
      destinationURI: `svc://${target}/${copy}`,
    };
    return (await owner.ask('POST', '/v3/files/transfers', { elements: [uris] })).uuid;
  };
  const record = (uuid: string) => owner.ask('GET', `/v3/files/transfers/${uuid}`);
  /** Something has arrived, and not all. */
  const underway = (copy: string) =>
    until(
      () => to.has(copy) && readdirSync(to.path(copy), { recursive: true }).length > 50,
      30_000,
      5,
    );
  const completed = async (uuid: string) => {
    const seen = await until(async () => {
      const now = await record(uuid);
      return ['COMPLETED', 'FAILED', 'CANCELLED'].includes(now.status) && now;
    }, 120_000);
    expect([seen.status, seen.errorMessage]).toEqual(['COMPLETED', null]);
    return seen;
  };
  const same = (path: string, copy: string) => {
    const names = from.tree(from.path(path));
    expect(to.tree(to.path(copy))).toEqual(names);
    for (const name of names.filter((n) => from.isFile(join(path, n))))
      expect(readFileSync(to.path(copy, name)).equals(readFileSync(from.path(path, name)))).toBe(
        true,
      );
  };

  it('is finished after the platform was killed in the middle', async () => {
    const uuid = await start('many', 'killed');
    await underway('killed');
    await platform.kill();
    await platform.start();
    const seen = await completed(uuid);
    expect(seen.totalTransfers).toBe(seen.completeTransfers);
    same('many', 'killed');
  });

  it.each(['destination', 'source'])('is finished after its %s was away', async (side) => {
    const host = side === 'source' ? from : to;
    const uuid = await start('many', `away-${side}`);
    await underway(`away-${side}`);
    await host.server.stop();
    await until(async () => (await record(uuid)).status === 'IN_PROGRESS');
    await host.server.start();
    await completed(uuid);
    same('many', `away-${side}`);
  });

  it('of one large file is finished after its destination was away, byte for byte', async () => {
    const uuid = await start('large', 'large-away');
    await until(() => to.has('large-away'), 30_000, 1);
    await to.server.stop();
    await to.server.start();
    await completed(uuid);
    expect(readFileSync(to.path('large-away')).equals(readFileSync(from.path('large')))).toBe(true);
  });

  it('from the web reads from this machine, and from no other address that is not public', async () => {
    const fetched = async (sourceURI: string) => {
      const elements = [{ sourceURI, destinationURI: `svc://${target}/web` }];
      const { uuid } = await owner.ask('POST', '/v3/files/transfers', { elements });
      return until(async () => {
        const now = await record(uuid);
        return now.status !== 'ACCEPTED' && now.status !== 'IN_PROGRESS' && now;
      }, 60_000);
    };
    const own = await fetched(`${platform.baseUrl()}/v3/tenants`);
    expect([own.status, own.errorMessage]).toEqual(['COMPLETED', null]);
    for (const address of ['169.254.169.254', '10.0.0.1', '[fd00::1]'])
      expect(await fetched(`http://${address}/`)).toMatchObject({
        status: 'FAILED',
        errorMessage: expect.stringContaining('not a public one'),
      });
  });

  it('ends when it is cancelled', async () => {
    const uuid = await start('many', 'cancelled');
    await underway('cancelled');
    await owner.ask('DELETE', `/v3/files/transfers/${uuid}`);
    expect((await record(uuid)).status).toBe('CANCELLED');
    const stranger = await platform.as('testuser2');
    expect([403, 404]).toContain(
      (await stranger.call('GET', `/v3/files/transfers/${uuid}`)).status,
    );
  });
});
