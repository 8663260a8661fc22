import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * What browsers keep for us and can't change: values with a signature, and values they can't even read. One key for
 * every process of the service; what it signs for one purpose is worth nothing for another.
 */
export class Signer {
  private readonly keys = new Map<string, Buffer>();

  constructor(private readonly secret: string) {}

  /** A value that only who knows the key can make, for instance the proof in a form that our page made it. */
  mac(purpose: string, value: string): string {
    return createHmac('sha256', this.key(purpose)).update(value).digest('base64url');
  }

  isMac(purpose: string, value: string, given: string): boolean {
    return equal(this.mac(purpose, value), given);
  }

  sign(purpose: string, value: object): string {
    const text = Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${text}.${this.mac(purpose, text)}`;
  }

  /** Undefined for what was not signed here. */
  read<T>(purpose: string, signed: string | undefined): T | undefined {
    const [text = '', mac = ''] = (signed ?? '').split('.');
    if (!text || !this.isMac(purpose, text, mac)) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as T;
  }

  seal(purpose: string, text: string): string {
    const iv = randomBytes(IV_LENGTH);
    const cipher = createCipheriv('aes-256-gcm', this.key(purpose), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Undefined for what was not sealed here. */
  open(purpose: string, sealed: string | undefined): string | undefined {
    const bytes = Buffer.from(sealed ?? '', 'base64url');
    if (bytes.length < IV_LENGTH + TAG_LENGTH) return undefined;
    const iv = bytes.subarray(0, IV_LENGTH);
    const tag = bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH);
    const decipher = createDecipheriv('aes-256-gcm', this.key(purpose), iv).setAuthTag(tag);
    try {
      const rest = decipher.update(bytes.subarray(IV_LENGTH + TAG_LENGTH));
      return Buffer.concat([rest, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  private key(purpose: string): Buffer {
    let key = this.keys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.secret, 'pages', purpose, 32));
      this.keys.set(purpose, key);
    }
    return key;
  }
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
