import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** A secret as it lies in the database: sealed with a key of its own, which lies beside it wrapped by a master key. */
export interface Sealed {
  /** The master key that wrapped the data key. */
  keyId: string;
  /** Nonce, tag and data key; null in rows of the first release, which the master key itself sealed. */
  wrappedKey: Buffer | null;
  nonce: Buffer;
  tag: Buffer;
  ciphertext: Buffer;
}

/**
 * Envelope encryption with AES-256-GCM. The first master key wraps; what any known one wrapped is opened, so keys are
 * replaced while everything stays readable.
 */
export class SecretSeal {
  private readonly keys: ReadonlyMap<string, Buffer>;
  readonly current: string;

  /** `masterKeys` is `id:base64,id:base64`, each 32 bytes, the id `default` when left out; the first one wraps. */
  constructor(masterKeys: string) {
    const pairs = masterKeys.split(',').map((entry) => {
      const text = entry.trim();
      const colon = text.indexOf(':');
      const id = colon < 0 ? 'default' : text.slice(0, colon);
      const bytes = Buffer.from(text.slice(colon + 1), 'base64');
      if (!id || bytes.length !== 32) {
        throw new Error('A master key must have the form id:base64 of 32 bytes.');
      }
      return [id, bytes] as const;
    });
    this.keys = new Map(pairs);
    if (this.keys.size < pairs.length)
      throw new Error('Two master keys have the same id: a new key needs a new id.');
    this.current = pairs[0]![0];
  }

  /** `place` (tenant, path, version) is authenticated: a row copied to another place does not open. */
  seal(plain: string, place: string): Sealed {
    const dataKey = randomBytes(32);
    const { nonce, tag, ciphertext } = encrypt(dataKey, Buffer.from(plain), place);
    return { ...this.wrap(dataKey, place), nonce, tag, ciphertext };
  }

  open(sealed: Sealed, place: string): string {
    return decrypt(this.dataKey(sealed, place), sealed, place).toString('utf8');
  }

  /** The same secret for the current master key; its own ciphertext is left alone. */
  wrapAgain(sealed: Sealed, place: string): Sealed {
    if (!sealed.wrappedKey) return this.seal(this.open(sealed, place), place);
    return { ...sealed, ...this.wrap(this.dataKey(sealed, place), place) };
  }

  private wrap(dataKey: Buffer, place: string): Pick<Sealed, 'keyId' | 'wrappedKey'> {
    const keyId = this.current;
    const wrapped = encrypt(this.keys.get(keyId)!, dataKey, wrapping(keyId, place));
    return { keyId, wrappedKey: Buffer.concat([wrapped.nonce, wrapped.tag, wrapped.ciphertext]) };
  }

  private dataKey({ keyId, wrappedKey }: Sealed, place: string): Buffer {
    const key = this.keys.get(keyId);
    if (!key) throw new Error(`The master key "${keyId}" is not among the settings.`);
    if (!wrappedKey) return key;
    const parts = {
      nonce: wrappedKey.subarray(0, NONCE),
      tag: wrappedKey.subarray(NONCE, NONCE + TAG),
      ciphertext: wrappedKey.subarray(NONCE + TAG),
    };
    try {
      return decrypt(key, parts, wrapping(keyId, place));
    } catch (cause) {
      const why = `MASTER_KEY "${keyId}" is not the key that wrapped a stored secret, or the row was changed.`;
      throw new Error(why, { cause });
    }
  }
}

interface Encrypted {
  nonce: Buffer;
  tag: Buffer;
  ciphertext: Buffer;
}

const wrapping = (keyId: string, place: string): string => `key|${keyId}|${place}`;

function encrypt(key: Buffer, plain: Buffer, aad: string): Encrypted {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { nonce, tag: cipher.getAuthTag(), ciphertext };
}

/** Throws when anything of it is not as it was. */
function decrypt(key: Buffer, { nonce, tag, ciphertext }: Encrypted, aad: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG });
  decipher.setAAD(Buffer.from(aad)).setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}
