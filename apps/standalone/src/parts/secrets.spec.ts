import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSecrets } from './secrets';

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'secrets-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('keeps what it made, gives a later service its password, lets nobody else read', () => {
  const file = join(folder, 'secrets.json');
  const first = openSecrets(file, ['systems']);
  const second = openSecrets(file, ['systems', 'apps']);
  expect(second).toMatchObject({ ...first, servicePasswords: first.servicePasswords });
  expect(Object.keys(second.servicePasswords)).toEqual(['systems', 'apps']);
  expect(second.servicePasswords.apps).not.toBe(second.servicePasswords.systems);
  expect(Buffer.from(second.masterKey, 'base64')).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
