import { mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { HostPool } from '@libs/hosts';
import { sshd, type Sshd } from '@libs/kit';
import { connectStore, storageConformance, type Store, type StoreAddress } from '../src';

jest.setTimeout(60_000);

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
