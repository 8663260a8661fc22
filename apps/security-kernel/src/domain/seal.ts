import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A secret as it lies in the database: AES-256-GCM under the master key with this id. */
export interface Sealed {
  keyId: string;
  nonce: Buffer;
  tag: Buffer;
  ciphertext: Buffer;
}

/** Encrypts with the current master key and opens what any known master key sealed, so keys can be rotated. */
export class SecretSeal {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly current: string;

  /** `masterKeys` is `id:base64,id:base64`, each 32 bytes, the id `default` when left out; the first one seals. */
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
    this.current = pairs[0]![0];
  }

  /** `place` (tenant, path, version) is authenticated: a row copied to another place does not open. */
  seal(plain: string, place: string): Sealed {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.keys.get(this.current)!, nonce);
    cipher.setAAD(Buffer.from(place));
    const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return { keyId: this.current, nonce, tag: cipher.getAuthTag(), ciphertext };
  }

  open(sealed: Sealed, place: string): string {
    const key = this.keys.get(sealed.keyId);
    if (!key) throw new Error(`The master key "${sealed.keyId}" is not among the settings.`);
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.nonce);
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(sealed.tag);
    try {
      return decipher.update(sealed.ciphertext, undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      const why = `MASTER_KEY "${sealed.keyId}" is not the key that sealed a stored secret, or the row was changed.`;
      throw new Error(why, { cause });
    }
  }
}
