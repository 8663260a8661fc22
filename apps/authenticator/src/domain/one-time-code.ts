import { hash, randomBytes, randomInt } from 'node:crypto';

const BYTES = 30;
/** No vowels, so that no words come about, and no letters that look alike. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;

/** 40 characters that nobody guesses. */
export const newCode = (): string => randomBytes(BYTES).toString('base64url');

/** What is kept of a code: it can be found again, but not read. */
export const codeHash = (code: string): string => hash('sha256', code, 'base64url');

/** 8 letters that a person types. */
export const newUserCode = (): string =>
  Array.from({ length: USER_CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** As it was made, however the person typed it. */
export const plainUserCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();
