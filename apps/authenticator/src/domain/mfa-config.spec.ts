import { mfaConfigProblems, mfaRules } from './mfa-config';

it('asks nobody unless told otherwise, and at every login', () => {
  expect(mfaRules({})).toEqual({ required: false, remembered: 0 });
  expect(mfaRules({ totp: { required: true } })).toMatchObject({ required: true, remembered: 0 });
});

it('remembers a browser for so long, and never endlessly', () => {
  const remembered = (totp: object) => mfaRules({ totp }).remembered;
  expect(remembered({ expire: true, expiry_frequency: 60 })).toBe(60);
  expect(remembered({ expire: false, expiry_frequency: 60 })).toBe(0);
  expect(remembered({ expire: true })).toBe(0);
  expect(remembered({ expire: true, expiry_frequency: 1e12 })).toBe(90 * 86_400);
});

it.each([
  [{}, []],
  [{ totp: { required: true, expire: true, expiry_frequency: 0 } }, []],
  [{ privacyidea: { privacy_idea_url: 'https://x', grant_types: ['password'] } }, []],
  [{ magic: {} }, ['mfa_config.magic']],
  [{ totp: [] }, ['mfa_config.totp']],
  [{ totp: null }, ['mfa_config.totp']],
  [
    { totp: { required: 'yes', more: 1, expiry_frequency: -1 } },
    ['mfa_config.totp.required', 'mfa_config.totp.more', 'mfa_config.totp.expiry_frequency'],
  ],
  [{ privacyidea: { realm: 'r' } }, ['mfa_config.privacyidea.privacy_idea_url']],
  [{ totp: {}, privacyidea: { privacy_idea_url: 'http://x' } }, ['mfa_config']],
])('says what is wrong with %j', (config, wrong) => {
  expect(mfaConfigProblems(config).map((text) => text.split(':')[0])).toEqual(wrong);
});
