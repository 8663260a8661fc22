import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { joinPath } from './paths';
import type { StorageReason } from './storage-error';
import type { Entry, Store, WalkEntry } from './store';

/** Names that have broken file services before. */
const HOSTILE = [
  'with blank',
  ' lead',
  "it's",
  '"double"',
  '$(touch pwned)',
  '`touch pwned`',
  '-rf',
  '--help',
  'a;b',
  'a&b',
  'a|b',
  '*',
  '?',
  '[a]',
  '~',
  '#hash',
  'back\\slash',
  'ünïcödé',
  '日本語',
  '.hidden',
  '%2e%2e',
  'a=b',
  '!x',
  '{a,b}',
  '<x>',
  '...',
];

/**
 * What every type of store must do, as tests. `makeStore` gives a fresh, empty store each time; `plant` puts a link
 * where the type has links.
 */
export function storageConformance(
  name: string,
  makeStore: () => Promise<{
    store: Store;
    link?: (target: string, path: string) => Promise<void>;
  }>,
): void {
  describe(`store ${name}`, () => {
    let store: Store;
    let link: ((target: string, path: string) => Promise<void>) | undefined;
    beforeEach(async () => {
      ({ store, link } = await makeStore());
    });
    const put = (path: string, data: string | Buffer = path) =>
      store.write(path, Readable.from([Buffer.from(data)]));
    const get = async (path: string, range?: { start?: number; end?: number }) => {
      const { stream } = await store.read(path, range);
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      return Buffer.concat(parts);
    };
    const names = (entries: Entry[]) => entries.map((e) => e.name).sort();
    const walk = async (path: string, options = {}): Promise<WalkEntry[]> => {
      const all: WalkEntry[] = [];
      for await (const entry of store.walk(path, options)) all.push(entry);
      return all;
    };
    const refuses = (work: Promise<unknown>, reason: StorageReason) =>
      expect(work).rejects.toMatchObject({ reason });

    it('writes and reads any size, making parents', async () => {
      for (const size of [0, 1, 65_536, 3_000_000]) {
        const data = randomBytes(size);
        expect(await put(`deep/er/f${size}`, data)).toBe(size);
        expect((await get(`deep/er/f${size}`)).equals(data)).toBe(true);
      }
    });

    it('overwrites a longer file', async () => {
      await put('f', 'a long text');
      await put('f', 'short');
      expect((await get('f')).toString()).toBe('short');
    });

    it('reads ranges', async () => {
      await put('f', '0123456789');
      expect((await get('f', { start: 3 })).toString()).toBe('3456789');
      expect((await get('f', { start: 3, end: 5 })).toString()).toBe('34');
      expect((await get('f', { start: 8, end: 100 })).toString()).toBe('89');
      expect((await get('f', { start: 10 })).toString()).toBe('');
      await refuses(get('f', { start: 11 }), 'range');
      expect((await store.read('f', { start: 2, end: 4 })).size).toBe(2);
    });

    it('keeps the executable mark and goes on where it was', async () => {
      await store.write('x', Readable.from([Buffer.from('0123456')]), { executable: true });
      expect((await store.stat('x')).executable).toBe(true);
      await store.write('x', Readable.from([Buffer.from('abc')]), { resumeAt: 2 });
      expect((await get('x')).toString()).toBe('01abc');
    });

    it('tells facts', async () => {
      await put('d/f', 'four');
      const file = await store.stat('d/f');
      expect(file).toMatchObject({
        path: 'd/f',
        name: 'f',
        type: 'file',
        size: 4,
        executable: false,
      });
      expect(Math.abs(file.lastModified!.getTime() - Date.now())).toBeLessThan(60_000);
      expect(await store.stat('d')).toMatchObject({ type: 'dir' });
      expect(await store.stat('')).toMatchObject({ type: 'dir' });
      await refuses(store.stat('none'), 'missing');
      await refuses(store.stat('d/f/below'), 'missing');
    });

    it('lists a directory, a file and nothing', async () => {
      await put('d/b');
      await put('d/.a');
      await store.mkdir('d/c');
      expect(names(await store.list('d'))).toEqual(['.a', 'b', 'c']);
      expect((await store.list('d')).map((e) => e.path).sort()).toEqual(['d/.a', 'd/b', 'd/c']);
      expect(await store.list('d/b')).toEqual([
        expect.objectContaining({ path: 'd/b', type: 'file' }),
      ]);
      expect(await store.list('d/c')).toEqual([]);
      await refuses(store.list('none'), 'missing');
    });

    it('walks a tree', async () => {
      await put('t/a/b/f', 'x');
      await put('t/g');
      await store.mkdir('t/empty');
      const all = await walk('t');
      expect(all.map((e) => e.relative).sort()).toEqual(['a', 'a/b', 'a/b/f', 'empty', 'g']);
      const order = all.map((e) => e.relative);
      expect(order.indexOf('a')).toBeLessThan(order.indexOf('a/b/f'));
      expect(await walk('t/g')).toEqual([expect.objectContaining({ relative: '', path: 't/g' })]);
      const flat = await walk('t', { maxDepth: 0 });
      expect(flat.map((e) => e.relative).sort()).toEqual(['a', 'empty', 'g']);
      expect(flat.every((e) => !e.entered)).toBe(true);
    });

    it('makes directories once and again, but not over a file', async () => {
      await store.mkdir('a/b/c');
      await store.mkdir('a/b/c');
      await Promise.all(Array.from({ length: 8 }, (_, i) => store.mkdir(`r/a/c/e/${i}`)));
      expect(names(await store.list('r/a/c/e'))).toHaveLength(8);
      await put('a/f');
      await refuses(store.mkdir('a/f'), 'not-directory');
      await refuses(store.mkdir('a/f/below'), 'not-directory');
      await refuses(put('a/f/below'), 'not-directory');
      await refuses(put('a/b'), 'is-directory');
      await refuses(get('a/b'), 'is-directory');
    });

    it('moves', async () => {
      await put('a/f', '1');
      await store.move('a/f', 'new/parents/g');
      expect((await get('new/parents/g')).toString()).toBe('1');
      await refuses(store.stat('a/f'), 'missing');
      await store.move('new', 'a');
      expect((await get('a/new/parents/g')).toString()).toBe('1');
      await put('over', 'old');
      await store.move('a/new/parents/g', 'over');
      expect((await get('over')).toString()).toBe('1');
      await refuses(store.move('none', 'x'), 'missing');
      await refuses(store.move('a', 'a'), 'same-path');
      await refuses(store.move('a', 'a/new/below'), 'same-path');
    });

    it('copies', async () => {
      await put('a/s/f', '1');
      await store.copy('a/s/f', 'p/q/g');
      expect((await get('p/q/g')).toString()).toBe('1');
      await store.copy('a', 'p');
      expect((await get('p/a/s/f')).toString()).toBe('1');
      await put('a/s/f', '2');
      await store.copy('a', 'p');
      expect((await get('p/a/s/f')).toString()).toBe('2');
      await store.copy('a', 'fresh');
      expect((await get('fresh/s/f')).toString()).toBe('2');
      await refuses(store.copy('none', 'x'), 'missing');
      await refuses(store.copy('a', 'a/below'), 'same-path');
    });

    it('removes', async () => {
      await put('a/b/f');
      await put('g');
      await store.remove('a');
      expect(names(await store.list(''))).toEqual(['g']);
      await store.remove('g');
      await refuses(store.remove('g'), 'missing');
      await put('x/y');
      await put('.z');
      await store.remove('');
      expect(await store.list('')).toEqual([]);
    });

    it('takes any name as just a name', async () => {
      for (const hostile of HOSTILE) {
        const path = joinPath('h', hostile, hostile);
        await put(path, hostile);
        expect((await get(path)).toString()).toBe(hostile);
        await store.copy(joinPath('h', hostile), joinPath('c', `${hostile}2`));
        await store.move(joinPath('c', `${hostile}2`), joinPath('m', hostile));
        expect((await get(joinPath('m', hostile, hostile))).toString()).toBe(hostile);
      }
      expect(names(await store.list('h'))).toEqual([...HOSTILE].sort());
      expect(names(await store.list('m'))).toEqual([...HOSTILE].sort());
      const found = (await walk('h')).map((e) => e.relative).sort();
      expect(found).toEqual(HOSTILE.flatMap((n) => [n, `${n}/${n}`]).sort());
      for (const hostile of HOSTILE) await store.remove(joinPath('h', hostile));
      expect(await store.list('h')).toEqual([]);
      expect(names(await store.list('')).filter((n) => /pwned/.test(n))).toEqual([]);
    });

    it('treats links as links, unless it reads through them', async () => {
      if (!link) return;
      await put('d/f', 'data');
      await link('d', 'todir');
      await link('d/f', 'tofile');
      await link('nowhere', 'dangling');
      expect(await store.list('todir')).toHaveLength(1);
      expect((await store.list('tofile'))[0]).toMatchObject({ type: 'file', size: 4 });
      await refuses(store.list('dangling'), 'missing');
      expect((await store.list('')).filter((e) => e.type === 'symbolic_link')).toHaveLength(3);
      expect(await store.stat('tofile', { follow: false })).toMatchObject({
        type: 'symbolic_link',
      });
      expect((await get('tofile')).toString()).toBe('data');
      expect((await walk('')).map((e) => e.relative).sort()).toEqual(
        ['d', 'd/f', 'dangling', 'todir', 'tofile'].sort(),
      );
      await refuses(walk('', { followLinks: true }), 'missing');
      await store.copy('tofile', 'copied');
      expect(await store.stat('copied', { follow: false })).toMatchObject({
        type: 'symbolic_link',
      });
      await store.remove('dangling');
      expect((await walk('', { followLinks: true })).map((e) => e.relative)).toContain('todir/f');
      await store.remove('todir');
      expect((await get('d/f')).toString()).toBe('data');
    });
  });
}
