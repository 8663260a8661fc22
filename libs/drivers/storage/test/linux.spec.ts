import { randomBytes } from 'node:crypto';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { HostPool, SourceFailed } from '@libs/hosts';
import { sshd, type Sshd } from '@libs/kit';
import { connectStore, storageConformance, type Store, type StoreAddress } from '../src';

describe('LINUX', () => {
  let server: Sshd;
  const pool = new HostPool();
  beforeAll(async () => {
    server = await sshd();
  });
  afterAll(async () => {
    await pool.close();
    await server.close();
  });

  const fresh = (more: Partial<StoreAddress> = {}): { store: Store; root: string } => {
    const root = mkdtempSync(join(server.root, 'r-'));
    const address = { systemId: 's', rootDir: root, ...server.login(), ...more };
    return { root, store: connectStore('LINUX', address, { pool }) };
  };

  it('copies from store to store, on one host and between two', async () => {
    const other = await sshd();
    try {
      const here = fresh();
      const places = [fresh(), { ...fresh(), store: remote(other) }];
      const data = randomBytes(3_000_000);
      writeFileSync(join(here.root, "it's"), data, { mode: 0o755 });
      for (const { store } of places) {
        const told: number[] = [];
        const options = { executable: true, onProgress: (n: number) => void told.push(n) };
        expect(await store.pull!(here.store, "it's", 'a/b c', options)).toBe(data.length);
        const { stream } = await store.read('a/b c');
        const parts: Buffer[] = [];
        for await (const part of stream) parts.push(part as Buffer);
        expect(Buffer.concat(parts).equals(data)).toBe(true);
        expect((await store.stat('a/b c')).nativePermissions).toBe('rwxr--r--');
        await expect(store.pull!(here.store, 'none', 'x')).rejects.toBeInstanceOf(SourceFailed);
        await expect(store.pull!(here.store, "it's", 'a')).rejects.toMatchObject({
          reason: 'is-directory',
        });
        const stop = AbortSignal.abort();
        await expect(store.pull!(here.store, "it's", 'x', { signal: stop })).rejects.toThrow();
      }
      const [, far] = places;
      const kept = Buffer.concat([Buffer.alloc(1_000_000), data.subarray(1_000_000)]);
      await far!.store.write('half', Readable.from([Buffer.alloc(5_000_000)]));
      expect(await far!.store.pull!(here.store, "it's", 'half', { resumeAt: 1_000_000 })).toBe(
        data.length,
      );
      const { stream } = await far!.store.read('half');
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      expect(Buffer.concat(parts).equals(kept)).toBe(true);
    } finally {
      await other.close();
    }
  });

  const remote = (server: Sshd): Store =>
    connectStore('LINUX', { systemId: 'far', rootDir: server.root, ...server.login() }, { pool });

  storageConformance('LINUX', async () => {
    const { root, store } = fresh();
    return {
      store,
      link: async (target, path) => symlinkSync(target, join(root, path)),
    };
  });
  storageConformance('LINUX for whoever is not the owner', async () => {
    const { root, store } = fresh({ jailed: true });
    return {
      store,
      link: async (target, path) => symlinkSync(target, join(root, path)),
    };
  });
});
