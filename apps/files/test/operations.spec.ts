import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { World } from './world';

describe('operations on files', () => {
  let world: World;
  let root: string;
  let id: string;
  let ops: string;
  let count = 0;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world?.close());
  beforeEach(() => {
    // The service keeps definitions for some seconds, so each test has a system of its own.
    id = `sys${++count}`;
    ops = `/v3/files/ops/${id}`;
    root = world.system(id).rootDir;
  });
  const at = (path: string) => join(root, path);

  it('uploads, lists and deletes', async () => {
    const stored = await world.upload(`${ops}/new/folder/a%20b.txt`, 'content');
    expect([stored.status, stored.body.result]).toEqual([200, null]);
    expect(readFileSync(at('new/folder/a b.txt'), 'utf8')).toBe('content');
    const listed = await world.get(`${ops}/new/folder`);
    expect(listed.body.result).toEqual([
      {
        mimeType: 'text/plain',
        type: 'file',
        owner: expect.any(String),
        group: expect.any(String),
        nativePermissions: 'rw-r--r--',
        url: `svc://${id}/new/folder/a%20b.txt`,
        lastModified: expect.stringMatching(/Z$/),
        name: 'a b.txt',
        path: 'new/folder/a b.txt',
        size: 7,
      },
    ]);
    expect(listed.body.metadata).toEqual({ recordCount: 1 });
    expect((await world.ask('DELETE', `${ops}/new`)).status).toBe(200);
    expect(existsSync(at('new'))).toBe(false);
    expect((await world.ask('DELETE', `${ops}/new`)).status).toBe(404);
  });

  it('takes the name of the part where the path ends in a slash', async () => {
    expect((await world.upload(`${ops}/d/`, 'x', undefined, 'part.txt')).status).toBe(200);
    expect((await world.upload(`${ops}/`, 'x', undefined, '../../evil.txt')).status).toBe(200);
    expect(existsSync(at('d/part.txt'))).toBe(true);
    expect(existsSync(at('evil.txt'))).toBe(true);
    expect((await world.upload(ops, 'x')).status).toBe(400);
    expect((await world.upload(`${ops}/d`, 'x')).status).toBe(400);
    expect((await world.upload(`${ops}/`, 'x', undefined, '')).status).toBe(400);
  });

  it('refuses forms that are none', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const post = (body: string, headers: Record<string, string> = type) =>
      world.ask('POST', `${ops}/f`, undefined, body, headers);
    expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
    expect((await post('--b--\r\n')).status).toBe(400);
    expect(
      (await post('--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nhalf'))
        .status,
    ).toBe(400);
    const part = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\ndata\r\n`;
    expect((await post(`${part('other')}--b--\r\n`)).status).toBe(400);
    expect((await post(`${part('file')}${part('file')}--b--\r\n`)).status).toBe(400);
    expect((await world.get(ops)).status).toBe(200);
  });

  it('stores a large upload unchanged', async () => {
    const data = Buffer.alloc(20_000_000);
    for (let i = 0; i < data.length; i += 4) data.writeUInt32LE((i * 2654435761) >>> 0, i);
    expect((await world.upload(`${ops}/large`, data)).status).toBe(200);
    expect(readFileSync(at('large')).equals(data)).toBe(true);
  });

  it('makes directories', async () => {
    const mkdir = (path: unknown) => world.ask('POST', ops, undefined, { path });
    expect((await mkdir('a/b/c')).status).toBe(200);
    expect((await mkdir('a/b/c')).status).toBe(200);
    expect(existsSync(at('a/b/c'))).toBe(true);
    writeFileSync(at('file'), '');
    const inTheWay = await mkdir('file/x');
    expect(inTheWay.status).toBe(400);
    expect(inTheWay.body.message).toContain('FILES_CLIENT_SSH_MKDIR_FILE');
    for (const bad of ['', ' ', 'a/../b', 'x..y', 'a\nb', 7, null, undefined]) {
      expect((await mkdir(bad)).status).toBe(400);
    }
    expect(
      (await world.ask('POST', ops, undefined, { path: 'a', more: 1 })).body.message,
    ).toContain('more');
  });

  it('lists in order, by pages, by pattern, down the tree', async () => {
    mkdirSync(at('t/Sub/deep'), { recursive: true });
    for (const name of ['b.txt', 'A.txt', 'c.dat', '.hid', 'Sub/x.txt', 'Sub/deep/y.TXT'])
      writeFileSync(at(`t/${name}`), '');
    symlinkSync('..', at('t/Sub/loop'));
    const names = async (query: string) =>
      (await world.get(`${ops}/t${query}`)).body.result.map((e: { path: string }) =>
        e.path.slice(2),
      );
    expect(await names('')).toEqual(['.hid', 'A.txt', 'b.txt', 'c.dat', 'Sub']);
    expect(await names('?limit=2&offset=1')).toEqual(['A.txt', 'b.txt']);
    const next = async (query: string) => (await world.get(`${ops}/t${query}`)).headers['link'];
    expect(await next('?limit=2&offset=1')).toBe(`<${ops}/t?limit=2&offset=3>; rel="next"`);
    expect(await next('')).toBeUndefined();
    expect(await names('?pattern=*.txt')).toEqual(['A.txt', 'b.txt']);
    expect(await names('?recurse=true&pattern=regex:%5C.txt$')).toEqual([
      'A.txt',
      'b.txt',
      'Sub/deep/y.TXT',
      'Sub/x.txt',
    ]);
    expect(await names('?recurse=true')).toEqual([
      '.hid',
      'A.txt',
      'b.txt',
      'c.dat',
      'Sub',
      'Sub/deep',
      'Sub/deep/y.TXT',
      'Sub/loop',
      'Sub/x.txt',
    ]);
    for (const bad of [
      'limit=0',
      'limit=1001',
      'limit=x',
      'offset=-1',
      'limit=1&limit=2',
      'recurse=maybe',
      'unknown=1',
      'pattern=regex:(',
    ]) {
      expect((await world.get(`${ops}/t?${bad}`)).status).toBe(400);
    }
    const evil = await world.get(`${ops}/t?pattern=regex:(a%2B)%2B$`);
    expect(evil.status).toBe(200);
    writeFileSync(at(`t/${'a'.repeat(60)}!`), '');
    expect((await world.get(`${ops}/t?pattern=regex:%5E(a%2B)%2B$`)).status).toBe(400);
    expect((await world.get(`${ops}/none`)).status).toBe(404);
  });

  it('follows a link that is asked for and shows one in a listing', async () => {
    mkdirSync(at('d'));
    writeFileSync(at('d/f'), '1234');
    symlinkSync('d', at('dir'));
    symlinkSync('d/f', at('file'));
    symlinkSync('no', at('dangling'));
    const types = (await world.get(ops)).body.result.map((e: { name: string; type: string }) => [
      e.name,
      e.type,
    ]);
    expect(types).toEqual([
      ['d', 'dir'],
      ['dangling', 'symbolic_link'],
      ['dir', 'symbolic_link'],
      ['file', 'symbolic_link'],
    ]);
    expect((await world.get(`${ops}/dir`)).body.result[0].path).toBe('dir/f');
    expect((await world.get(`${ops}/file`)).body.result[0]).toMatchObject({
      type: 'file',
      size: 4,
    });
    expect((await world.get(`${ops}/dangling`)).status).toBe(404);
  });

  it('moves and copies', async () => {
    const put = (path: string, operation: string, newPath: string) =>
      world.ask('PUT', `${ops}/${path}`, undefined, { operation, newPath });
    writeFileSync(at('f'), 'one');
    expect((await put('f', 'COPY', 'deep/er/g')).status).toBe(200);
    expect((await put('f', 'MOVE', 'deep')).status).toBe(200);
    expect(readFileSync(at('deep/f'), 'utf8')).toBe('one');
    expect(existsSync(at('f'))).toBe(false);
    expect((await put('deep', 'COPY', 'again')).status).toBe(200);
    expect(readFileSync(at('again/er/g'), 'utf8')).toBe('one');
    expect((await put('none', 'COPY', 'x')).status).toBe(404);
    expect((await put('deep', 'MOVE', 'deep/er/x')).status).toBe(400);
    expect((await put('deep', 'MOVE', '/deep/')).status).toBe(400);
    for (const bad of ['move', 'RENAME', 'SERVICE_MOVE_DIRECTORY_CONTENTS']) {
      expect((await put('deep', bad, 'x')).status).toBe(400);
    }
    symlinkSync('deep/f', at('link'));
    await put('link', 'COPY', 'new/link');
    expect((await world.get(`${ops}/new`)).body.result[0].type).toBe('symbolic_link');
  });

  it('empties the root but keeps it', async () => {
    writeFileSync(at('f'), '');
    writeFileSync(at('.g'), '');
    expect((await world.ask('DELETE', ops)).status).toBe(200);
    expect((await world.get(ops)).body.result).toEqual([]);
  });

  it('tells facts of Linux files and changes modes', async () => {
    writeFileSync(at('f'), '1234');
    const utils = `/v3/files/utils/linux/${id}/f`;
    expect((await world.get(utils)).body.result).toMatchObject({
      absolutePath: at('f'),
      size: 4,
      perms: 'rw-r--r--',
      dir: false,
      link: false,
    });
    const change = (operation: string, argument: string) =>
      world.ask('POST', utils, undefined, { operation, argument });
    expect((await change('CHMOD', '700')).body.result).toMatchObject({ exitCode: 0, stdErr: '' });
    expect((await world.get(utils)).body.result.perms).toBe('rwx------');
    expect((await change('CHMOD', 'u-x,go+r')).body.result.exitCode).toBe(0);
    expect((await change('CHGRP', 'surely_no_group')).body.result.exitCode).not.toBe(0);
    for (const [op, arg] of [
      ['CHMOD', '--reference=/etc/passwd'],
      ['CHMOD', '9'],
      ['CHOWN', 'a:b'],
      ['CHOWN', '$(id)'],
      ['CHGRP', '0'],
      ['X', '1'],
    ]) {
      expect((await change(op!, arg!)).status).toBe(400);
    }
    expect((await world.get(`/v3/files/utils/linux/${id}/none`)).status).toBe(404);
    expect((await world.get(`/v3/files/utils/linux/facl/${id}/f`)).status).toBe(404);
  });
});
