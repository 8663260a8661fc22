import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD = 30;
/** Clocks of telephones are a little off: one step before and after counts. */
const WINDOW = 1;
const CODES = 10;
/** Without 0, 1, l and o, which people mistake for each other. */
const LETTERS = '23456789abcdefghijkmnpqrstuvwxyz';

export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The address that authenticator apps read from a QR code. */
export function enrolmentUri(secret: string, issuer: string, label: string): string {
  return totp(secret, issuer, label).toString();
}

/** The number of the step whose code this is, near `now` in milliseconds; undefined for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta;
}

/** Ten keys of 80 bits, in groups to be written down. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const text = [...randomBytes(16)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
    return text.match(/.{4}/g)!.join('-');
  });
}

/** What people type: blanks, dashes and case don't count. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toLowerCase();

export const isRecoveryCode = (code: string): boolean => code.length === 16;

function totp(secret: string, issuer = '', label = ''): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), issuer, label, digits: 6, period: PERIOD });
}
