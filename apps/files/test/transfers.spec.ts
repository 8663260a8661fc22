import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { sshd, type Sshd, until } from '@libs/kit';
import type { RunningService } from '@libs/service-kit';
import { transfersWorker } from '@apps/transfers-worker';
import { World } from './world';

describe('transfers', () => {
  let world: World;
  let worker: RunningService;
  let other: Sshd;
  let web: Server;
  let webUrl: string;
  let count = 0;
  let from: string;
  let to: string;
  let a: string;
  let b: string;
  const settings = { TRANSFER_RETRY_SECONDS: '0.2,0.5,1,1,1,1,1', TRANSFER_LEASE_SECONDS: '2' };
  beforeAll(async () => {
    [world, other] = await Promise.all([World.start(), sshd()]);
    worker = await world.alsoRun(transfersWorker, settings);
    web = createServer((request, response) => {
      if (request.url === '/data/file%20x') response.end('from the web');
      else response.writeHead(404).end();
    });
    await new Promise<void>((r) => web.listen(0, '127.0.0.1', r));
    webUrl = `http://127.0.0.1:${(web.address() as { port: number }).port}`;
  });
  afterAll(async () => {
    await worker?.close();
    await world?.close();
    await other?.close();
    web?.close();
  });
  beforeEach(() => {
    [a, b] = [`a${++count}`, `b${count}`];
    from = world.system(a).rootDir;
    to = world.system(b, 'testuser1', { host: other }).rootDir;
  });

  type Element = { sourceURI: string; destinationURI: string; optional?: boolean };
  const start = async (elements: Element[], tag?: string): Promise<string> => {
    const made = await world.ask('POST', '/v3/files/tranfers', undefined, { tag, elements });
    expect([made.status, made.body.message]).toEqual([
      201,
      expect.stringMatching(/^FAPI_TXFR_CREATED /),
    ]);
    expect(made.body.result).toMatchObject({
      status: 'ACCEPTED',
      tag: tag ?? null,
      username: 'testuser1',
    });
    return made.body.result.uuid;
  };
  const get = async (uuid: string, details = '') =>
    (await world.get(`/v3/files/transfers/${uuid}${details}`)).body.result;
  const ended = (uuid: string, ms = 45_000) =>
    until(async () => {
      const found = await get(uuid, '/details');
      return ['COMPLETED', 'FAILED', 'CANCELLED'].includes(found.status) && found;
    }, ms);
  const run = async (sourceURI: string, destinationURI: string) =>
    ended(await start([{ sourceURI, destinationURI }]));

  it('copies a file, exactly or into a folder, with its executable mark', async () => {
    writeFileSync(join(from, 'tool.sh'), '#!/bin/sh');
    chmodSync(join(from, 'tool.sh'), 0o755);
    const done = await run(`svc://${a}/tool.sh`, `svc://${b}/deep/er/other`);
    expect(done).toMatchObject({
      status: 'COMPLETED',
      errorMessage: null,
      estimatedTotalBytes: 9,
      totalBytesTransferred: 9,
      totalTransfers: 1,
      completeTransfers: 1,
      parentTasks: [
        {
          status: 'COMPLETED',
          children: [
            {
              status: 'COMPLETED',
              bytesTransferred: 9,
              destinationURI: `svc://${b}/deep/er/other`,
            },
          ],
        },
      ],
    });
    expect(readFileSync(join(to, 'deep/er/other'), 'utf8')).toBe('#!/bin/sh');
    expect(statSync(join(to, 'deep/er/other')).mode & 0o100).toBe(0o100);
    await run(`svc://${a}/tool.sh`, `svc://${b}/folder/`);
    expect(existsSync(join(to, 'folder/tool.sh'))).toBe(true);
    await run(`svc://${a}/tool.sh`, `svc://${b}`);
    expect(existsSync(join(to, 'tool.sh'))).toBe(true);
  });

  it('copies a tree: many small files, large ones, links, empty directories', async () => {
    const data = new Map<string, Buffer>();
    for (let i = 0; i < 300; i++) data.set(`d${i % 7}/s${i % 3}/f ${i}'`, randomBytes(i * 7));
    data.set('large', randomBytes(3_000_000));
    data.set('empty', Buffer.alloc(0));
    for (const [name, bytes] of data) {
      mkdirSync(join(from, 'src', name, '..'), { recursive: true });
      writeFileSync(join(from, 'src', name), bytes);
    }
    mkdirSync(join(from, 'src/none/at/all'), { recursive: true });
    symlinkSync('large', join(from, 'src/link'));
    symlinkSync('d0', join(from, 'src/dirlink'));
    const done = await run(`svc://${a}/src`, `svc://${b}/dst`);
    expect([done.status, done.errorMessage]).toEqual(['COMPLETED', null]);
    for (const [name, bytes] of data)
      expect(readFileSync(join(to, 'dst', name)).equals(bytes)).toBe(true);
    expect(statSync(join(to, 'dst/none/at/all')).isDirectory()).toBe(true);
    expect(readFileSync(join(to, 'dst/link')).equals(data.get('large')!)).toBe(true);
    expect(readdirSync(join(to, 'dst/dirlink/s0')).length).toBeGreaterThan(0);
    expect(done.totalTransfers).toBe(done.completeTransfers);
    expect(done.totalBytesTransferred).toBe(done.estimatedTotalBytes);
    // and once more over what is there
    expect((await run(`svc://${a}/src/`, `svc://${b}/dst/`)).status).toBe('COMPLETED');
    expect(existsSync(join(to, 'dst/src'))).toBe(false);
  });

  it('makes the destination of an empty directory', async () => {
    mkdirSync(join(from, 'void'));
    expect((await run(`svc://${a}/void`, `svc://${b}/x/y`)).status).toBe('COMPLETED');
    expect(readdirSync(join(to, 'x/y'))).toEqual([]);
  });

  it('reads from web servers', async () => {
    expect((await run(`${webUrl}/data/file%20x`, `svc://${b}/in/`)).status).toBe('COMPLETED');
    expect(readFileSync(join(to, 'in/file x'), 'utf8')).toBe('from the web');
    const done = await run(`${webUrl}/data/file%20x`, `svc://${b}/exact`);
    expect(done).toMatchObject({ totalBytesTransferred: 12, estimatedTotalBytes: 12 });
    const missing = await run(`${webUrl}/none`, `svc://${b}/x`);
    expect(missing).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringMatching(/FILES_CLIENT_HTTP_ERR.*404/),
    });
  });

  it('fails with a reason', async () => {
    symlinkSync('nowhere', join(from, 'dangling'));
    mkdirSync(join(from, 'tree'));
    symlinkSync('nowhere', join(from, 'tree/dangling'));
    mkdirSync(join(to, 'dir'));
    writeFileSync(join(from, 'f'), 'x');
    const why = async (source: string, destination: string) => {
      const done = await run(`svc://${a}/${source}`, `svc://${b}/${destination}`);
      expect(done.status).toBe('FAILED');
      expect(done.parentTasks[0].status).toBe('FAILED');
      expect(done.endTime).not.toBeNull();
      return done.errorMessage;
    };
    expect(await why('missing', 'x')).toMatch(/^FILES_TXFR_SVC_SRCPATH_NOTFOUND /);
    expect(await why('dangling', 'x')).toMatch(/SRCPATH_NOTFOUND/);
    expect(await why('tree', 'x')).toMatch(/FILES_PATH_NOT_FOUND.*leads nowhere/);
    expect(await why('f', 'dir')).toMatch(/FILES_PATH_IS_DIR/);
  });

  it.each(['source', 'destination'])(
    'brings all the others when some files of many are refused by their %s',
    async (side) => {
      if (process.getuid?.() !== 0) return console.warn('skipped: only root can make accounts');
      const host = await sshd({ passwordAccount: true });
      const { user, password } = host.account!;
      const more = {
        effectiveUserId: user,
        authnCredential: { authnMethod: 'PASSWORD', password },
      };
      const open = (path: string) => {
        for (let at = path; at.startsWith(join(host.root, '..')); at = join(at, '..'))
          chmodSync(at, 0o777);
        return path;
      };
      const isSource = side === 'source';
      const there = world.system(`there${count}`, 'testuser1', { host, more });
      const [src, dst] = isSource ? [there.id, b] : [a, there.id];
      const base = join(open(there.rootDir), 'tree');
      mkdirSync(base);
      open(base);
      const refused = Array.from({ length: 10 }, (_, i) => `refused ${i}`);
      for (const name of refused) writeFileSync(join(base, name), 'x', { mode: 0o600 });
      const data = isSource ? base : join(from, 'tree');
      mkdirSync(data, { recursive: true });
      for (let i = 0; i < 400; i++) writeFileSync(join(data, `f ${i}`), `number ${i}`);
      if (!isSource) for (const name of refused) writeFileSync(join(data, name), 'y');
      const done = await run(`svc://${src}/tree`, `svc://${dst}/tree`);
      await host.close();
      expect([done.status, done.errorMessage]).toEqual([
        'FAILED',
        expect.stringMatching(/^FILES_\w+ .*tree\/refused/),
      ]);
      // One after the other the first that fails would have ended the rest.
      const children: { status: string }[] = done.parentTasks[0].children;
      expect(children.filter(({ status }) => status === 'COMPLETED').length).toBe(400);
    },
  );

  it('lets optional elements fail', async () => {
    writeFileSync(join(from, 'f'), 'x');
    const uuid = await start([
      { sourceURI: `svc://${a}/none`, destinationURI: `svc://${b}/x`, optional: true },
      { sourceURI: `svc://${a}/f`, destinationURI: `svc://${b}/f` },
    ]);
    const done = await ended(uuid);
    expect(done.status).toBe('COMPLETED');
    expect(done.parentTasks.map((p: { status: string }) => p.status)).toEqual([
      'FAILED_OPT',
      'COMPLETED',
    ]);
  });

  it('does not harm a file that is copied onto itself', async () => {
    writeFileSync(join(from, 'f'), 'precious');
    mkdirSync(join(from, 'd'));
    writeFileSync(join(from, 'd/f'), 'precious');
    const twin = world.system(`twin${count}`);
    symlinkSync(from, join(twin.rootDir, 'in'));
    for (const [s, d] of [
      [`${a}/f`, `${a}/f`],
      [`${a}/f`, `${a}/`],
      [`${a}/d`, `${a}/d/`],
      [`${a}/f`, `${twin.id}/in/f`],
      [`${a}/d`, `${twin.id}/in/d`],
    ]) {
      expect((await run(`svc://${s}`, `svc://${d}`)).status).toBe('COMPLETED');
    }
    expect(readFileSync(join(from, 'f'), 'utf8') + readFileSync(join(from, 'd/f'), 'utf8')).toBe(
      'preciousprecious',
    );
  });

  it('goes on when the host was away', async () => {
    writeFileSync(join(from, 'f'), 'x');
    await other.stop();
    const uuid = await start([{ sourceURI: `svc://${a}/f`, destinationURI: `svc://${b}/f` }]);
    const waiting = await until(async () => {
      const [parent] = (await get(uuid)).parentTasks;
      return parent.errorMessage && parent;
    });
    expect(waiting.errorMessage).toMatch(/FILES_HOST_UNREACHABLE/);
    await other.start();
    expect(await ended(uuid)).toMatchObject({ status: 'COMPLETED', errorMessage: null });
  });

  it('goes on when the connection is cut in the middle of a large file', async () => {
    const data = randomBytes(100_000_000);
    writeFileSync(join(from, 'large'), data);
    const uuid = await start([
      { sourceURI: `svc://${a}/large`, destinationURI: `svc://${b}/large` },
    ]);
    await until(
      () => existsSync(join(to, 'large')) && statSync(join(to, 'large')).size > 20_000_000,
      20_000,
      5,
    );
    other.cut();
    const done = await ended(uuid);
    expect([done.status, done.errorMessage]).toEqual(['COMPLETED', null]);
    expect(readFileSync(join(to, 'large')).equals(data)).toBe(true);
  });

  it('stops when it is cancelled', async () => {
    writeFileSync(join(from, 'large'), Buffer.alloc(250_000_000));
    const uuid = await start(
      [{ sourceURI: `svc://${a}/large`, destinationURI: `svc://${b}/large` }],
      'mine',
    );
    await until(() => existsSync(join(to, 'large')), 10_000, 5);
    expect((await world.ask('DELETE', `/v3/files/tranfers/${uuid}`)).status).toBe(200);
    const done = await get(uuid, '/details');
    expect(done.status).toBe('CANCELLED');
    expect(done.parentTasks[0].children[0].status).toBe('CANCELLED');
    let size = -1;
    await until(
      () => {
        const now = statSync(join(to, 'large')).size;
        const still = now === size;
        size = now;
        return still;
      },
      10_000,
      300,
    );
    expect(size).toBeLessThan(250_000_000);
    expect((await world.ask('DELETE', `/v3/files/tranfers/${uuid}`)).status).toBe(200);
    expect((await get(uuid)).status).toBe('CANCELLED');
  });

  it('is taken over from a worker that stops', async () => {
    const data = Buffer.alloc(150_000_000, 7);
    writeFileSync(join(from, 'large'), data);
    const uuid = await start([
      { sourceURI: `svc://${a}/large`, destinationURI: `svc://${b}/large` },
    ]);
    await until(() => existsSync(join(to, 'large')), 10_000, 5);
    await worker.close();
    expect((await get(uuid)).status).toBe('IN_PROGRESS');
    worker = await world.alsoRun(transfersWorker, settings);
    expect((await ended(uuid)).status).toBe('COMPLETED');
    expect(readFileSync(join(to, 'large')).equals(data)).toBe(true);
  });

  it('moves on one host for services only', async () => {
    mkdirSync(join(from, 'out/sub'), { recursive: true });
    writeFileSync(join(from, 'out/.f'), 'x');
    const body = {
      elements: [
        {
          sourceURI: `svc://${a}/out`,
          destinationURI: `svc://${a}/in`,
          transferType: 'SERVICE_MOVE_DIRECTORY_CONTENTS',
        },
      ],
    };
    expect((await world.ask('POST', '/v3/files/transfers', undefined, body)).status).toBe(403);
    const made = await world.ask(
      'POST',
      '/v3/files/transfers',
      undefined,
      body,
      world.double.asService('jobs'),
    );
    expect((await ended(made.body.result.uuid)).status).toBe('COMPLETED');
    expect(readdirSync(join(from, 'in')).sort()).toEqual(['.f', 'sub']);
    expect(readdirSync(join(from, 'out'))).toEqual([]);
  });

  it('answers the same transfer for the same key', async () => {
    writeFileSync(join(from, 'f'), 'x');
    const body = { elements: [{ sourceURI: `svc://${a}/f`, destinationURI: `svc://${b}/f` }] };
    const key = { 'idempotency-key': `key-${count}` };
    const [one, two] = await Promise.all(
      [1, 2].map(() => world.ask('POST', '/v3/files/transfers', undefined, body, key)),
    );
    expect(two!.body.result.uuid).toBe(one!.body.result.uuid);
    const another = { elements: [{ ...body.elements[0]!, destinationURI: `svc://${b}/g` }] };
    expect((await world.ask('POST', '/v3/files/transfers', undefined, another, key)).status).toBe(
      409,
    );
  });
});
