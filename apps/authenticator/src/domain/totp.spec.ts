import { Secret, TOTP } from 'otpauth';
import {
  enrolmentUri,
  isRecoveryCode,
  newRecoveryCodes,
  newSecret,
  plainCode,
  stepOf,
} from './totp';

const NOW = 1_790_000_000_000;
const codeOf = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

it('knows a code by its step, one step early or late', () => {
  const secret = newSecret();
  const step = Math.floor(NOW / 30_000);
  for (const [seconds, expected] of [
    [0, step],
    [-30, step - 1],
    [30, step + 1],
    [-90, undefined],
    [90, undefined],
  ] as const)
    expect(stepOf(secret, codeOf(secret, NOW + seconds * 1000), NOW)).toBe(expected);
});

it('agrees with RFC 6238', () => {
  const secret = Secret.fromUTF8('12345678901234567890').base32;
  expect(stepOf(secret, '287082', 59_000)).toBe(1);
  expect(stepOf(secret, '287083', 59_000)).toBeUndefined();
});

it('takes six digits and nothing else', () => {
  for (const bad of ['', '12345', '1234567', 'abcdef', ' 12345', '12 456'])
    expect(stepOf(newSecret(), bad, NOW)).toBeUndefined();
});

it('names issuer and person for the app', () => {
  const uri = enrolmentUri(newSecret(), 'Svc dev', 'ann & co');
  expect(uri).toMatch(/^otpauth:\/\/totp\/Svc%20dev:ann%20%26%20co\?/);
});

it('makes recovery codes that differ and are typed as people type', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([2-9a-km-np-z]{4}-){3}[2-9a-km-np-z]{4}$/);
    expect(isRecoveryCode(plainCode(` ${code.toUpperCase()} `))).toBe(true);
  }
  expect(isRecoveryCode('123456')).toBe(false);
});
