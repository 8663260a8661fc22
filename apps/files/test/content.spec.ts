import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { until } from '@libs/kit';
import { World } from './world';

describe('content', () => {
  let world: World;
  let root: string;
  let id: string;
  let base: string;
  let count = 0;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world?.close());
  beforeEach(() => {
    id = `c${++count}`;
    base = `/v3/files/content/${id}`;
    root = world.system(id).rootDir;
  });
  const at = (path: string) => join(root, path);

  it('gives a whole file with what a browser needs to know', async () => {
    writeFileSync(at('a "b" ü.txt'), '0123456789');
    const answer = await world.get(`${base}/a%20%22b%22%20%C3%BC.txt`);
    expect([answer.status, answer.text]).toEqual([200, '0123456789']);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600',
      'content-disposition': `attachment; filename="a _b_ _.txt"; filename*=UTF-8''a%20%22b%22%20%C3%BC.txt`,
    });
  });

  it('gives parts', async () => {
    writeFileSync(at('f'), '0123456789');
    const part = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await world.get(`${base}/f${query}`, undefined, headers);
      return [answer.status, answer.status < 300 ? answer.text : answer.headers['content-range']];
    };
    expect(await part('?startByte=2&count=3')).toEqual([200, '234']);
    expect(await part('?startByte=8')).toEqual([200, '89']);
    expect(await part('?count=1')).toEqual([200, '0']);
    expect(await part('?startByte=10')).toEqual([416, 'bytes */10']);
    expect(await part('', { range: 'bytes=2-4' })).toEqual([206, '234']);
    expect(await part('', { range: 'bytes=-3' })).toEqual([206, '789']);
    expect(await part('', { range: 'bytes=10-' })).toEqual([416, 'bytes */10']);
    expect(await part('', { range: '1,4' })).toEqual([200, '1234']);
    expect((await part('', { range: 'x' }))[0]).toBe(400);
    expect((await part('', { more: '0' }))[0]).toBe(400);
    for (const bad of [
      'startByte=-1',
      'count=0',
      'startByte=x',
      'zip=maybe',
      'startByte=1.5',
      'x=1',
    ]) {
      expect((await part(`?${bad}`))[0]).toBe(400);
    }
    const range = await world.get(`${base}/f`, undefined, { range: 'bytes=2-4' });
    expect(range.headers['content-range']).toBe('bytes 2-4/10');
    expect(range.headers['content-length']).toBe('3');
  });

  it('goes on with a download only while the file is the same', async () => {
    writeFileSync(at('f'), '0123456789');
    const { headers } = await world.get(`${base}/f`);
    const etag = String(headers['etag']);
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(headers['last-modified']).toBe(statSync(at('f')).mtime.toUTCString());
    const rest = async (ifRange: string) => {
      const answer = await world.get(`${base}/f`, undefined, {
        range: 'bytes=4-',
        'if-range': ifRange,
      });
      return [answer.status, answer.text];
    };
    expect(await rest(etag)).toEqual([206, '456789']);
    expect(await rest(String(headers['last-modified']))).toEqual([206, '456789']);
    writeFileSync(at('f'), 'another file');
    expect(await rest(etag)).toEqual([200, 'another file']);
  });

  it('refuses a zip of what it cannot name, before any byte of it', async () => {
    mkdirSync(at('d'));
    writeFileSync(Buffer.concat([Buffer.from(at('d/bad')), Buffer.from([0xff])]), 'x');
    const answer = await world.get(`${base}/d?zip=true`);
    expect([answer.status, answer.body.message]).toEqual([
      404,
      expect.stringMatching(/^FILES_PATH_NOT_FOUND .*d\/bad.*not UTF-8/),
    ]);
    writeFileSync(at('d/really\uFFFD'), 'x');
    expect((await world.get(`${base}/d/really%EF%BF%BD`)).text).toBe('x');
  });

  it('gives pages of text', async () => {
    writeFileSync(at('f'), 'x'.repeat(1024) + 'y'.repeat(1000));
    const page = (more: string) => world.get(`${base}/f`, undefined, { more });
    expect((await page('1')).text).toBe('x'.repeat(1024));
    const second = await page('2');
    expect(second.text).toBe('y'.repeat(1000));
    expect(second.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(second.headers['content-disposition']).toBe('inline; filename="f"');
    expect([(await page('3')).status, (await page('3')).text]).toEqual([200, '']);
  });

  it('refuses what has no content', async () => {
    mkdirSync(at('d'));
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('none', at('dangling'));
    const code = async (path: string) => {
      const { status, body } = await world.get(`${base}${path}`);
      return [status, body.message.split(' ')[0]];
    };
    expect(await code('/d')).toEqual([400, 'FILES_CONT_DIR_NOZIP']);
    expect(await code('')).toEqual([400, 'FILES_CONT_DIR_NOZIP']);
    expect(await code('/none')).toEqual([404, 'FILES_PATH_NOT_FOUND']);
    expect(await code('/dangling')).toEqual([404, 'FILES_PATH_NOT_FOUND']);
    expect(await code('/pipe')).toEqual([501, 'FILES_CLIENT_SPECIAL_FILE']);
    expect((await world.get('/v3/files/content/nosuch/f')).status).toBe(404);
  });

  it('zips a tree, links followed, with names that hold anything', async () => {
    mkdirSync(at('d/sub/void'), { recursive: true });
    const names = ['a.txt', 'sub/b b.txt', "sub/q'u", 'sub/-n', 'sub/日本'];
    for (const name of names) writeFileSync(at(`d/${name}`), name);
    writeFileSync(at('d/back\\..\\..\\slash'), 'x');
    symlinkSync('sub', at('d/linked'));
    symlinkSync('none', at('d/dangling'));
    const unzipped = async (path: string) => {
      const answer = await request(`${world.web.url}${path}`, { headers: world.double.as() });
      const folder = mkdtempSync(join(tmpdir(), 'zip-'));
      writeFileSync(join(folder, 'z.zip'), Buffer.from(await answer.body.arrayBuffer()));
      const script =
        'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print("\\n".join(z.namelist()))';
      const list = execFileSync('python3', ['-c', script, join(folder, 'z.zip')]).toString();
      return { answer, names: list.trim().split('\n').sort() };
    };
    const { answer, names: inside } = await unzipped(`${base}/d?zip=true`);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="d.zip"');
    expect(inside).toEqual(
      [
        'd/',
        'd/a.txt',
        'd/back_.._.._slash',
        'd/linked/',
        'd/linked/-n',
        'd/linked/b b.txt',
        "d/linked/q'u",
        'd/linked/void/',
        'd/linked/日本',
        'd/sub/',
        'd/sub/-n',
        'd/sub/b b.txt',
        "d/sub/q'u",
        'd/sub/void/',
        'd/sub/日本',
      ].sort(),
    );
    expect((await unzipped(`${base}/d/sub/?zip=true`)).names).toEqual(
      ['-n', 'b b.txt', "q'u", 'void/', '日本'].sort(),
    );
    expect((await unzipped(`${base}/d/a.txt?zip=true`)).names).toEqual(['a.txt']);
    expect((await unzipped(`${base}?zip=true`)).answer.headers['content-disposition']).toBe(
      'attachment; filename="systemRoot.zip"',
    );
  });

  it('does not zip a whole host', async () => {
    world.system('wholehost').rootDir = '/';
    for (const path of ['', '/', '/a/..']) {
      const answer = await world.get(`/v3/files/content/wholehost${path}?zip=true`);
      expect(answer.body.message).toMatch(/^FILES_CONT_NOZIP /);
    }
  });

  it('streams a large file without holding it, and stops when the client goes', async () => {
    writeFileSync(at('large'), '');
    truncateSync(at('large'), 3_000_000_000);
    const before = process.memoryUsage.rss();
    let peak = 0;
    let got = 0;
    await new Promise<void>((resolve, reject) => {
      const client = httpGet(
        `${world.web.url}${base}/large`,
        { headers: world.double.as() },
        (response) => {
          response.on('data', (chunk: Buffer) => {
            got += chunk.length;
            if (got % 16 === 0) peak = Math.max(peak, process.memoryUsage.rss());
            if (got > 60_000_000) {
              client.destroy();
              resolve();
            }
          });
          response.on('error', () => resolve());
        },
      );
      client.once('error', (e) => (got > 60_000_000 ? resolve() : reject(e)));
    });
    expect(peak - before).toBeLessThan(300_000_000);
    // the session is free again, so the host can be asked at once
    await until(async () => (await world.get(`${base}/large?startByte=5&count=2`)).status === 200);
    expect(statSync(at('large')).size).toBe(3_000_000_000);
  });
});
