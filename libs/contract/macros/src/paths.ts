const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether the text holds a newline or any other control character (C0, DEL, C1). */
export const hasControlCharacter = (text: string): boolean => CONTROL.test(text);

/** Whether a segment of the path is `..`. */
export const climbs = (path: string): boolean => path.split('/').includes('..');

/** One leading slash, no doubled ones, none at the end, no `.` segments. `..` stays: refuse it with `climbs`. */
export function normalisePath(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')}`;
}

/** Parts below one another, normalised. */
export const joinPath = (...parts: string[]): string => normalisePath(parts.join('/'));

/** Last segment of a path; undefined when it ends in a slash or has none. */
export const lastSegment = (path: string): string | undefined =>
  path.slice(path.lastIndexOf('/') + 1) || undefined;
