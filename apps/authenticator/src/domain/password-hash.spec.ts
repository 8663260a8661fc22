import { randomBytes, scryptSync } from 'node:crypto';
import { checkPassword, hashPassword, isOutdated, SEED_COST } from './password-hash';

describe('password hashes', () => {
  it('accept the password and nothing else', async () => {
    const hash = await hashPassword('testuser1');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hash).not.toContain('testuser1');
    expect(await checkPassword('testuser1', hash)).toBe(true);
    expect(await checkPassword('testuser2', hash)).toBe(false);
    expect(await checkPassword('', hash)).toBe(false);
    expect(await checkPassword('testuser1', undefined)).toBe(false);
    expect(await checkPassword('testuser1', undefined, hash)).toBe(false);
  });

  it('differ for equal passwords', async () => {
    expect(await hashPassword('a')).not.toBe(await hashPassword('a'));
  });

  it('tell when a new one would be made otherwise', async () => {
    expect(isOutdated(await hashPassword('a'))).toBe(false);
    expect(isOutdated(await hashPassword('a', SEED_COST))).toBe(true);
  });

  it('of the first release are still good, and outdated', async () => {
    const salt = randomBytes(16);
    const key = scryptSync('old', salt, 32, { N: 1024, r: 8, p: 1 });
    const old = ['scrypt', 1024, 8, 1, salt.toString('base64'), key.toString('base64')].join('$');
    expect(await checkPassword('old', old)).toBe(true);
    expect(await checkPassword('new', old)).toBe(false);
    expect(await checkPassword('old', undefined, old)).toBe(false);
    expect(isOutdated(old)).toBe(true);
  });
});
