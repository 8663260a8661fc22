import { checkPassword, hashPassword } from './password-hash';

describe('password hashes', () => {
  it('accept the password and nothing else', async () => {
    const hash = await hashPassword('testuser1');
    expect(hash).not.toContain('testuser1');
    expect(await checkPassword('testuser1', hash)).toBe(true);
    expect(await checkPassword('testuser2', hash)).toBe(false);
    expect(await checkPassword('', hash)).toBe(false);
    expect(await checkPassword('testuser1', undefined)).toBe(false);
  });

  it('differ for equal passwords', async () => {
    expect(await hashPassword('a')).not.toBe(await hashPassword('a'));
  });
});
