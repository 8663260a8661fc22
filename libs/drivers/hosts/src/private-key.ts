import { createPrivateKey, randomBytes, type KeyObject } from 'node:crypto';
import { utils } from 'ssh2';

/** A private key as the SSH library reads it, or why nothing can be done with the text. */
export type ReadKey =
  | { key: string; problem?: undefined; locked?: undefined }
  | { key?: undefined; problem: string; locked?: boolean };

const ENCRYPTED = /ENCRYPTED|passphrase|encrypted/;

/** Takes OpenSSH and PEM keys (PKCS#1, SEC1 and PKCS#8). Keys with a passphrase are of no use here. */
export function readPrivateKey(text: string): ReadKey {
  const tidy = `${text.replaceAll('\r\n', '\n').trim()}\n`;
  if (/^-----BEGIN PRIVATE KEY-----/.test(tidy)) return fromPkcs8(tidy);
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----/.test(tidy)) return LOCKED;
  const parsed = utils.parseKey(tidy);
  if (parsed instanceof Error)
    return ENCRYPTED.test(parsed.message) ? LOCKED : { problem: 'is no private key' };
  const [key] = [parsed].flat();
  return key?.isPrivateKey() ? { key: tidy } : { problem: 'is no private key' };
}

const LOCKED = { problem: 'has a passphrase; register a key without one', locked: true };

function fromPkcs8(pem: string): ReadKey {
  try {
    const key = createPrivateKey(pem);
    switch (key.asymmetricKeyType) {
      case 'rsa':
        return { key: key.export({ type: 'pkcs1', format: 'pem' }).toString() };
      case 'ec':
        return { key: key.export({ type: 'sec1', format: 'pem' }).toString() };
      case 'ed25519':
        return { key: openSsh(key) };
      default:
        return { problem: `is of type ${key.asymmetricKeyType}, which SSH does not know` };
    }
  } catch {
    return { problem: 'is no private key' };
  }
}

/** PROTOCOL.key of OpenSSH, for the one kind of key that has no older form. */
function openSsh(key: KeyObject): string {
  const { d, x } = key.export({ format: 'jwk' }) as { d: string; x: string };
  const [seed, open] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const kind = field('ssh-ed25519');
  const pair = Buffer.concat([kind, field(open)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([seed, open]);
  const inner = Buffer.concat([check, check, pair, field(secret), field('')]);
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7]).subarray(0, (8 - (inner.length % 8)) % 8);
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    Buffer.from([0, 0, 0, 1]),
    field(pair),
    field(Buffer.concat([inner, padding])),
  ]);
  const body = whole.toString('base64').replace(/.{70}/g, '$&\n');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
