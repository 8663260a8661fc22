import { randomBytes } from 'node:crypto';
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

  it('opens what an older key sealed after a rotation', () => {
    const [k1, k2] = [key('k1'), key('k2')];
    const sealed = new SecretSeal(k1).seal('hunter2', 'p');
    const rotated = new SecretSeal(`${k2},${k1}`);
    expect(rotated.open(sealed, 'p')).toBe('hunter2');
    expect(rotated.seal('x', 'p').keyId).toBe('k2');
    expect(() => new SecretSeal(k2).open(sealed, 'p')).toThrow('k1');
  });

  it('refuses a changed ciphertext and a key of the wrong length', () => {
    const seal = new SecretSeal(key('k1'));
    const sealed = seal.seal('hunter2', 'p');
    sealed.ciphertext[0]! ^= 1;
    expect(() => seal.open(sealed, 'p')).toThrow();
    expect(() => new SecretSeal('k1:c2hvcnQ=')).toThrow('32 bytes');
  });
});
