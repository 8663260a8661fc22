import { createCipheriv, randomBytes } from 'node:crypto';
import { SecretSeal } from './seal';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('SecretSeal', () => {
  it('opens what it sealed, and only in its place', () => {
    const seal = new SecretSeal(key('k1'));
    const sealed = seal.seal('hunter2', 'dev/a/1');
    expect(sealed.ciphertext.toString('latin1')).not.toContain('hunter2');
    expect(seal.open(sealed, 'dev/a/1')).toBe('hunter2');
    expect(() => seal.open(sealed, 'dev/a/2')).toThrow();
  });

  it('opens what an older key wrapped, and wraps it again', () => {
    const [k1, k2] = [key('k1'), key('k2')];
    const sealed = new SecretSeal(k1).seal('hunter2', 'p');
    const rotated = new SecretSeal(`${k2},${k1}`);
    expect(rotated.open(sealed, 'p')).toBe('hunter2');
    expect(rotated.seal('x', 'p').keyId).toBe('k2');
    const after = new SecretSeal(k2);
    expect(() => after.open(sealed, 'p')).toThrow('k1');
    const again = rotated.wrapAgain(sealed, 'p');
    expect(again.keyId).toBe('k2');
    expect(again.ciphertext).toEqual(sealed.ciphertext);
    expect(after.open(again, 'p')).toBe('hunter2');
    expect(() => rotated.wrapAgain(sealed, 'q')).toThrow();
  });

  it('opens rows that a master key itself sealed, and gives them a key of their own', () => {
    const [k1, k2] = [key('k1'), key('k2')];
    const cipher = createCipheriv(
      'aes-256-gcm',
      Buffer.from(k1.split(':')[1]!, 'base64'),
      Buffer.alloc(12, 7),
    ).setAAD(Buffer.from('p'));
    const ciphertext = Buffer.concat([cipher.update('hunter2'), cipher.final()]);
    const old = {
      keyId: 'k1',
      wrappedKey: null,
      nonce: Buffer.alloc(12, 7),
      tag: cipher.getAuthTag(),
      ciphertext,
    };
    const rotated = new SecretSeal(`${k2},${k1}`);
    expect(rotated.open(old, 'p')).toBe('hunter2');
    const again = rotated.wrapAgain(old, 'p');
    expect(again.wrappedKey).not.toBeNull();
    expect(new SecretSeal(k2).open(again, 'p')).toBe('hunter2');
  });

  it('gives each secret a key of its own', () => {
    const seal = new SecretSeal(key('k1'));
    const [a, b] = [seal.seal('same', 'p'), seal.seal('same', 'p')];
    expect(seal.open({ ...a, wrappedKey: a.wrappedKey }, 'p')).toBe('same');
    expect(() => seal.open({ ...a, wrappedKey: b.wrappedKey }, 'p')).toThrow();
  });

  it.each(['ciphertext', 'tag', 'nonce', 'wrappedKey'] as const)('refuses a changed %s', (part) => {
    const seal = new SecretSeal(key('k1'));
    const sealed = seal.seal('hunter2', 'p');
    sealed[part]![0]! ^= 1;
    expect(() => seal.open(sealed, 'p')).toThrow();
  });

  it('refuses keys that are no keys, and two with one id', () => {
    expect(() => new SecretSeal('k1:c2hvcnQ=')).toThrow('32 bytes');
    expect(() => new SecretSeal(`${key('k1')},${key('k1')}`)).toThrow('same id');
    const other = new SecretSeal(key('k1'));
    const sealed = new SecretSeal(key('k1')).seal('x', 'p');
    expect(() => other.open(sealed, 'p')).toThrow('MASTER_KEY "k1"');
  });
});
