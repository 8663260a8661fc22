import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { HostPool } from '@libs/hosts';
import { sshd, type Sshd } from '@libs/kit';
import { connectStore, type Store } from '../src';

describe('links that lead out of the root', () => {
  let server: Sshd;
  let outside: string;
  let root: string;
  const pool = new HostPool();
  const store = (jailed: boolean): Store =>
    connectStore('LINUX', { systemId: 's', rootDir: root, ...server.login(), jailed }, { pool });
  beforeAll(async () => {
    server = await sshd();
  });
  afterAll(async () => {
    await pool.close();
    await server.close();
  });
  beforeEach(() => {
    outside = mkdtempSync(join(server.root, 'out-'));
    root = mkdtempSync(join(server.root, 'in-'));
    writeFileSync(join(outside, 'secret'), 'secret');
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'own'), 'own');
    symlinkSync(outside, join(root, 'dir'));
    symlinkSync(join(outside, 'secret'), join(root, 'file'));
    symlinkSync(join(outside, 'new'), join(root, 'dangling'));
    symlinkSync(outside, join(root, 'sub', 'dir'));
    symlinkSync('own', join(root, 'inner'));
  });
  const data = () => Readable.from([Buffer.from('x')]);
  const walk = async (s: Store, path: string) => {
    for await (const entry of s.walk(path, { followLinks: true })) void entry;
  };

  it('are followed for the owner', async () => {
    const s = store(false);
    expect(await s.list('dir')).toHaveLength(1);
    await s.write('dir/made', data());
    expect(readFileSync(join(outside, 'made'), 'utf8')).toBe('x');
    await walk(s, 'sub');
  });

  it('are refused for anybody else, whatever is asked', async () => {
    const s = store(true);
    const refused = (work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({ reason: 'outside-root' });
    await refused(s.list('dir'));
    await refused(s.list('dir/deep/er'));
    await refused(s.stat('file'));
    await refused(s.read('file'));
    await refused(s.read('dir/secret'));
    await refused(s.write('file', data()));
    await refused(s.write('dir/new', data()));
    await refused(s.write('dangling', data()));
    await refused(s.mkdir('dir/new'));
    await refused(s.copy('dir/secret', 'stolen'));
    await refused(s.copy('own', 'dir'));
    await refused(s.copy('own', 'file'));
    await refused(s.copy('own', 'dangling'));
    await refused(s.move('dir/secret', 'stolen'));
    await refused(s.move('own', 'dir/x'));
    await refused(s.remove('dir/secret'));
    await refused(walk(s, 'sub'));
    await refused(walk(s, ''));
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    expect(existsSync(join(outside, 'new'))).toBe(false);
  });

  it('do not stop work inside the root', async () => {
    const s = store(true);
    expect((await s.stat('inner')).size).toBe(3);
    expect(await s.list('')).toHaveLength(6);
    await s.write('sub/new/file', data());
    await s.remove('dir');
    await s.move('file', 'moved');
    expect((await s.stat('moved', { follow: false })).type).toBe('symbolic_link');
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  });
});
