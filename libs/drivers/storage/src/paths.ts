import { StorageError } from './storage-error';

const MAX_PATH_BYTES = 4095;
const MAX_NAME_BYTES = 255;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * A path below a root in its one spelling: no leading, trailing or doubled slash, no `.`, and `..` resolved without
 * ever climbing above the start. The root is ''. Control characters and over-long names are refused.
 */
export function normalisePath(raw: string): string {
  if (CONTROL.test(raw)) {
    throw new StorageError('bad-path', printable(raw), 'a path may not hold control characters');
  }
  if (!raw.isWellFormed()) throw new StorageError('bad-path', '', 'the path is not valid UTF-8');
  const names: string[] = [];
  for (const name of raw.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') names.pop();
    else names.push(name);
  }
  const path = names.join('/');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new StorageError(
      'bad-path',
      printable(path),
      `a path is longer than ${MAX_PATH_BYTES} bytes`,
    );
  }
  if (names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    throw new StorageError(
      'bad-path',
      printable(path),
      `a name is longer than ${MAX_NAME_BYTES} bytes`,
    );
  }
  return path;
}

/** Names joined by one slash, empty ones left out. */
export function joinPath(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

export function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True for the path itself and everything below it; the root holds everything. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function printable(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path).slice(1, -1);
}
