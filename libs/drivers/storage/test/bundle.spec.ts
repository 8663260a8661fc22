import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HostPool } from '@libs/hosts';
import { sshd, type Sshd } from '@libs/kit';
import { type BundleStore, connectStore } from '../src';

describe('many small files as one stream', () => {
  let servers: Sshd[];
  const pool = new HostPool();
  beforeAll(async () => {
    servers = await sshd({ count: 2 });
  });
  afterAll(async () => {
    await pool.close();
    await Promise.all(servers.map((s) => s.close()));
  });
  const place = (n: number) => {
    const rootDir = mkdtempSync(join(servers[n]!.root, 'r-'));
    const address = { systemId: `s${n}`, rootDir, ...servers[n]!.login() };
    return { rootDir, store: connectStore('LINUX', address, { pool }) as BundleStore };
  };

  it('arrive with their bytes, the executable mark and nothing else', async () => {
    const from = place(0);
    const to = place(1);
    const names = [
      '-dash',
      'a b',
      "q'q",
      'd/e/f',
      'tool',
      'linked',
      '--checkpoint-action=exec=id',
      '\\x',
    ];
    for (const name of ['d/e', 'out']) mkdirSync(join(from.rootDir, name), { recursive: true });
    for (const name of names) if (name !== 'linked') writeFileSync(join(from.rootDir, name), name);
    symlinkSync('a b', join(from.rootDir, 'linked'));
    chmodSync(join(from.rootDir, 'tool'), 0o4755);
    writeFileSync(join(to.rootDir, 'a b'), 'was here and was longer');
    symlinkSync('a b', join(to.rootDir, 'tool'));

    expect(await from.store.canBundle('')).toBe(true);
    await to.store.mkdirs(['d/e', "x'y z"]);
    const out = await from.store.bundleOut('', names);
    const into = await to.store.bundleIn('');
    await pipeline(out.stream, into.stream);
    await Promise.all([out.done, into.done]);

    for (const name of names) {
      const expected = name === 'linked' ? 'a b' : name;
      // A link that stood there is replaced: nothing is written to where it led.
      expect(readFileSync(join(to.rootDir, name), 'utf8')).toBe(expected);
    }
    expect(statSync(join(to.rootDir, 'tool')).mode & 0o7777 & ~0o077).toBe(0o700);
    expect(statSync(join(to.rootDir, 'd/e/f')).mode & 0o111).toBe(0);
    const sizes = await to.store.sizes('', [...names, 'none']);
    expect(Object.fromEntries(sizes)).toEqual(
      Object.fromEntries(names.map((n) => [n, n === 'linked' ? 3 : n.length])),
    );
  });

  it('say what went wrong', async () => {
    const from = place(0);
    const out = await from.store.bundleOut('', ['missing']);
    out.stream.resume();
    await expect(out.done).rejects.toThrow(/missing/);
  });

  it('know beforehand which file would break them', async () => {
    const { rootDir, store } = place(0);
    for (const name of ['d/e', 'dir']) mkdirSync(join(rootDir, 'base', name), { recursive: true });
    for (const name of ['-n', "q'$(id)", 'd/e/f']) writeFileSync(join(rootDir, 'base', name), 'x');
    symlinkSync('nowhere', join(rootDir, 'base/dangling'));
    const names = ['-n', "q'$(id)", 'd/e/f', 'dir', 'dangling', 'gone', 'none/x'];
    const refused = async (to: 'read' | 'write') => [...(await store.refused('base', names, to))];
    expect(await refused('read')).toEqual(['dir', 'dangling', 'gone', 'none/x']);
    expect(await refused('write')).toEqual(['dir', 'none/x']);
    expect(await store.refused('base', [], 'read')).toEqual(new Set());
  });
});
