import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Directory } from '@libs/auth';
import { KeptDirectory } from './kept-directory';

const folder = mkdtempSync(join(tmpdir(), 'registry-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'inner', 'registry.json');
const directory: Directory = { sites: [], tenants: [{ tenant_id: 'a' } as never] };
const there = { load: () => Promise.resolve(directory) };
const away = { load: () => Promise.reject(new Error('away')) };

it('begins with what was read last when the registry is away', async () => {
  await expect(new KeptDirectory(away, file).load()).rejects.toThrow('away');
  expect(await new KeptDirectory(there, file).load()).toEqual(directory);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const late = new KeptDirectory(away, file);
  expect(await late.load()).toEqual(directory);
  await expect(late.load()).rejects.toThrow('away');
});
