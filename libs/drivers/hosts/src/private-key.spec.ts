import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils } from 'ssh2';
import { readPrivateKey } from './private-key';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

let n = 0;
function sshKeygen(...options: string[]): { privateKey: string; publicKey: string } {
  const file = join(folder, `key${n++}`);
  execFileSync('ssh-keygen', ['-q', '-f', file, ...options]);
  return { privateKey: readFileSync(file, 'utf8'), publicKey: readFileSync(`${file}.pub`, 'utf8') };
}

/** The public half that the SSH library finds in a private key. */
function publicOf(privateKey: string): string {
  const parsed = utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  return [parsed].flat()[0]!.getPublicSSH().toString('base64');
}

it.each([
  ['ed25519 of OpenSSH', ['-t', 'ed25519']],
  ['rsa of OpenSSH', ['-t', 'rsa', '-b', '2048']],
  ['ecdsa of OpenSSH', ['-t', 'ecdsa']],
  ['rsa as PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
  ['ecdsa as PEM', ['-t', 'ecdsa', '-m', 'PEM']],
  ['rsa as PKCS#8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8']],
  ['ecdsa as PKCS#8', ['-t', 'ecdsa', '-m', 'PKCS8']],
])('reads %s', (_, options) => {
  const { privateKey, publicKey } = sshKeygen('-N', '', ...options);
  const { key, problem } = readPrivateKey(privateKey.trim().replaceAll('\n', '\r\n'));
  expect(problem).toBeUndefined();
  expect(publicKey).toContain(publicOf(key!));
});

it('reads ed25519 as PKCS#8, also as ssh-keygen sees it', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key = readPrivateKey(pem).key!;
  const file = join(folder, 'converted');
  writeFileSync(file, key, { mode: 0o600 });
  const shown = execFileSync('ssh-keygen', ['-y', '-f', file]).toString();
  expect(shown).toContain(publicOf(key));
});

it.each([
  ['OpenSSH', ['-t', 'ed25519']],
  ['PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
  ['PKCS#8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8']],
])('refuses one with a passphrase, as %s', (_, options) => {
  const { privateKey } = sshKeygen('-N', 'secret', ...options);
  expect(readPrivateKey(privateKey)).toMatchObject({
    locked: true,
    problem: expect.stringContaining('passphrase'),
  });
});

it.each(['', 'nonsense', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'])(
  'refuses what is no key: %j',
  (text) => expect(readPrivateKey(text)).toEqual({ problem: 'is no private key' }),
);

it('refuses a public key', () => {
  const { publicKey } = sshKeygen('-N', '', '-t', 'ed25519');
  expect(readPrivateKey(publicKey)).toEqual({ problem: 'is no private key' });
});
