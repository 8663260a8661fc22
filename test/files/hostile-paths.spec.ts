import { symlinkSync } from 'node:fs';
import { flow, PlatformProcess, type Reply, type Session, TestHost } from '@libs/flows';
import { until } from '@libs/kit';
import { end } from '../fixtures/end';
import { type HostilePath, hostilePaths, wireOf } from '../fixtures/hostile-paths';
import { Traps } from '../fixtures/trap';

type Operation = (session: Session, system: string, wire: string, text: string) => Promise<Reply>;

const put =
  (body: (text: string) => object): Operation =>
  (session, system, _, text) =>
    session.send('PUT', `/v3/files/ops/${system}/seed/file.txt`, body(text));

const OPERATIONS: Record<string, Operation> = {
  list: (s, system, wire) => s.call('GET', `/v3/files/ops/${system}/${wire}`),
  'list all below': (s, system, wire) =>
    s.call('GET', `/v3/files/ops/${system}/${wire}?recurse=true`),
  'list by pattern': (s, system, _, text) =>
    s.call('GET', `/v3/files/ops/${system}/seed?pattern=${encodeURIComponent(text)}`),
  content: (s, system, wire) => s.call('GET', `/v3/files/content/${system}/${wire}`),
  zip: (s, system, wire) => s.call('GET', `/v3/files/content/${system}/${wire}?zip=true`),
  stat: (s, system, wire) => s.call('GET', `/v3/files/utils/linux/${system}/${wire}`),
  'native operation': (s, system, wire) =>
    s.send('POST', `/v3/files/utils/linux/${system}/${wire}`, {
      operation: 'CHMOD',
      argument: '755',
    }),
  'argument of a native operation': (s, system, _, text) =>
    s.send('POST', `/v3/files/utils/linux/${system}/seed/file.txt`, {
      operation: 'CHMOD',
      argument: text,
    }),
  upload: (s, system, wire) => s.upload(`/v3/files/ops/${system}/${wire}`, 'uploaded'),
  'name of an uploaded part': (s, system, _, text) =>
    s.upload(
      `/v3/files/ops/${system}/seed/`,
      'uploaded',
      text.replace(/["\r\n\0]/g, '_').slice(0, 2000),
    ),
  mkdir: (s, system, _, text) => s.send('POST', `/v3/files/ops/${system}`, { path: text }),
  'copy to': put((newPath) => ({ operation: 'COPY', newPath })),
  'move to': put((newPath) => ({ operation: 'MOVE', newPath })),
  'copy from': (s, system, wire) =>
    s.send('PUT', `/v3/files/ops/${system}/${wire}`, { operation: 'COPY', newPath: 'copied' }),
  'move from': (s, system, wire) =>
    s.send('PUT', `/v3/files/ops/${system}/${wire}`, { operation: 'MOVE', newPath: 'moved' }),
  delete: (s, system, wire) => s.call('DELETE', `/v3/files/ops/${system}/${wire}`),
};

/** Nothing in the table is a good value for these. */
const OFTEN_REFUSED = ['argument of a native operation'];

describe('a hostile path', () => {
  let platform: PlatformProcess;
  let host: TestHost;
  let traps: Traps;
  let system: string;
  let owner: Session;
  let paths: HostilePath[];

  beforeAll(async () => {
    host = await TestHost.start();
    traps = new Traps(host);
    paths = hostilePaths(traps);
    platform = await PlatformProcess.start();
    const { given, me } = flow(platform);
    owner = await me();
    system = await given.system({ host });
  });
  afterAll(() => end(platform, [host]));

  it('is tried in some sixty forms', () => expect(paths.length).toBeGreaterThanOrEqual(60));

  it.each(Object.entries(OPERATIONS))(
    '%s: nothing outside is read or changed, nothing runs',
    async (name, operation) => {
      const found: string[] = [];
      let done = 0;
      for (const path of paths) {
        host.put('seed/file.txt', 'seed\n');
        const reply = await operation(owner, system, wireOf(path), path.text);
        if (reply.status < 300) done++;
        if (traps.seenIn(reply)) found.push(`${path.name}: the canary was read`);
        if (reply.status >= 500 && reply.status !== 501)
          found.push(`${path.name}: ${reply.status} ${reply.message.slice(0, 200)}`);
        if (reply.headers['x-injected']) found.push(`${path.name}: a header came in`);
      }
      expect(found).toEqual([]);
      // some were odd names of good places: the operation really works
      expect([name, done > 0 || OFTEN_REFUSED.includes(name)]).toEqual([name, true]);
      expect([name, traps.sprung()]).toEqual([name, []]);
    },
  );

  it('in a transfer, as source and as destination: nothing outside is read or changed', async () => {
    const elements = paths.flatMap((path) => {
      const wire = wireOf(path);
      return [
        { sourceURI: `svc://${system}/seed/file.txt`, destinationURI: `svc://${system}/${wire}` },
        { sourceURI: `svc://${system}/${wire}`, destinationURI: `svc://${system}/transferred` },
        {
          sourceURI: `svc://${system}/seed/file.txt`,
          destinationURI: `svc://${system}/${path.text}`,
        },
        { sourceURI: path.text, destinationURI: `svc://${system}/transferred` },
      ];
    });
    const running: string[] = [];
    const found: string[] = [];
    for (const element of elements) {
      host.put('seed/file.txt', 'seed\n');
      const reply = await owner.send('POST', '/v3/files/transfers', { elements: [element] });
      if (reply.status < 300) running.push(reply.json.result.uuid);
      else if (reply.status >= 500)
        found.push(`${JSON.stringify(element).slice(0, 200)}: ${reply.status}`);
    }
    for (const uuid of running)
      await until(async () => {
        const { status } = await owner.ask('GET', `/v3/files/transfers/${uuid}`);
        return ['COMPLETED', 'FAILED', 'CANCELLED'].includes(status);
      }, 60_000);
    expect(found).toEqual([]);
    expect(running.length).toBeGreaterThan(0);
    expect(traps.sprung()).toEqual([]);
    const leaked = host
      .tree()
      .filter((path) => host.isFile(path) && host.read(path).includes(traps.secret));
    expect(leaked).toEqual([]);
  });

  it('that is a link out of the root directory is followed for the owner, and seen by this test', async () => {
    symlinkSync(traps.canary, host.path('link'));
    symlinkSync(host.outside('outside'), host.path('folder-link'));
    for (const path of ['link', 'folder-link/canary.txt']) {
      const reply = await owner.call('GET', `/v3/files/content/${system}/${path}`);
      expect(reply.status).toBe(200);
      expect(traps.seenIn(reply)).toBe(true);
    }
  });
});
