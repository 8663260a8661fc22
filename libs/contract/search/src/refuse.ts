import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';

/** Longest search text, and longest sum of the texts of a request's conditions. */
export const LONGEST_SEARCH = 8192;

/** Ends parsing: 400 with a text that says what is wrong and where. */
export function refuse(text: string, where?: string): never {
  throw new BadInput(platform().code('INVALID_SEARCH'), where ? `${text}, at ${where}` : text);
}

/** Position `index` (from 0) of a text, for people. */
export function character(index: number, of: string): string {
  return `character ${index + 1} of ${of}`;
}

/** Names and values of a request are echoed, but not a page of them. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/** What no database takes as text must not get that far. */
export function checkText(text: string, of: string): void {
  if (text.length > LONGEST_SEARCH) {
    refuse(`${of} is longer than ${LONGEST_SEARCH} characters`);
  }
  const nul = text.indexOf('\0');
  if (nul >= 0) refuse('NUL is not allowed', character(nul, of));
  if (!text.isWellFormed()) refuse(`${of} has a broken character`);
}
