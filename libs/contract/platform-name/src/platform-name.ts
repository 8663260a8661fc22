import { PlatformNames } from './platform-names';

let current: PlatformNames | undefined;

/**
 * Sets the platform's own name for this process; call it once, before anything asks for it.
 * Lower-case letters and digits, a letter first, at most 20: it becomes part of header, file,
 * queue and database names. Throws on anything else.
 */
export function setPlatformName(name: string): void {
  if (current?.lower === name) return;
  current = new PlatformNames(name);
}

/** Everything spelled with the platform's name. Ask at run time, never while a module loads. */
export function platform(): PlatformNames {
  current ??= new PlatformNames('svc');
  return current;
}
